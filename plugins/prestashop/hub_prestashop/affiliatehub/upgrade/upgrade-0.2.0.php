<?php
/**
 * From 0.1.0, which sent inside the buyer's request: the table of what waits.
 *
 * License: Apache-2.0
 */

if (!defined('_PS_VERSION_')) {
    exit;
}

function upgrade_module_0_2_0($module)
{
    return affiliatehub_tables() && $module->registerHook(AffiliateHub::HOOKS);
}
