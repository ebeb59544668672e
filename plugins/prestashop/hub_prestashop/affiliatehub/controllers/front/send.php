<?php
/**
 * Sends what waits: the shop asks itself for this page, and a cron job may. It shows nothing but how much is left.
 *
 * License: Apache-2.0
 */

if (!defined('_PS_VERSION_')) {
    exit;
}

class AffiliateHubSendModuleFrontController extends ModuleFrontController
{
    public function initContent()
    {
        if (!hash_equals($this->module->sendToken(), (string) Tools::getValue('token'))) {
            http_response_code(403);
            exit;
        }
        ignore_user_abort(true);
        session_write_close();
        $this->module->send(50);
        header('Content-Type: text/plain');
        exit('waiting: ' . affiliatehub_waiting());
    }
}
