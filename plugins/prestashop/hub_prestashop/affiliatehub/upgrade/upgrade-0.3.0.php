<?php
/**
 * From 0.2.0, which heard of no edit and no deletion, and knew the click of a buyer's own request only.
 *
 * License: Apache-2.0
 */

if (!defined('_PS_VERSION_')) {
    exit;
}

function upgrade_module_0_3_0($module)
{
    return affiliatehub_tables() && $module->registerHook(AffiliateHub::HOOKS);
}
