<?php
/**
 * Affiliate hub: tells the hub of orders, credit slips and products, signed, and keeps the click a buyer came by.
 *
 * License: Apache-2.0
 */

if (!defined('_PS_VERSION_')) {
    exit;
}

require_once __DIR__ . '/snapshots.php';

class AffiliateHub extends Module
{
    const HOOKS = [
        'displayHeader', 'actionValidateOrder', 'actionOrderHistoryAddAfter', 'actionOrderSlipAdd',
        'actionProductSave', 'actionUpdateQuantity',
    ];

    public function __construct()
    {
        $this->name = 'affiliatehub';
        $this->tab = 'advertising_marketing';
        $this->version = '0.1.0';
        $this->author = 'Affiliate hub';
        $this->need_instance = 0;
        $this->ps_versions_compliancy = ['min' => '1.7.6', 'max' => '8.99.99'];
        parent::__construct();
        $this->displayName = 'Affiliate hub';
        $this->description = 'Tells your affiliate hub of orders, payments, parcels and refunds.';
    }

    public function install()
    {
        $table = _DB_PREFIX_ . 'affiliatehub_click';
        return parent::install()
            && $this->registerHook(self::HOOKS)
            && Db::getInstance()->execute(
                "CREATE TABLE IF NOT EXISTS `$table` (id_order INT UNSIGNED NOT NULL PRIMARY KEY, click_id VARCHAR(128) NOT NULL)"
            );
    }

    public function getContent()
    {
        $html = '';
        if (Tools::isSubmit('affiliatehub_test')) {
            $status = $this->post('ping', []);
            $html = $status === 200
                ? $this->displayConfirmation('The hub has the test.')
                : $this->displayError('The hub answered ' . (int) $status . '.');
        }
        return $html . '<form method="post"><button class="btn btn-primary" name="affiliatehub_test" value="1">Send a test</button></form>';
    }

    public function hookDisplayHeader()
    {
        $url = $this->settings()['capture_url'];
        $this->context->controller->registerJavascript('affiliatehub', $url, ['server' => 'remote', 'attributes' => 'defer']);
    }

    public function hookActionValidateOrder($params)
    {
        $order = $params['order'];
        $click = isset($_COOKIE['affiliate_click_id']) ? (string) $_COOKIE['affiliate_click_id'] : '';
        if (preg_match('/^[A-Za-z0-9_-]{1,128}$/', $click)) {
            Db::getInstance()->insert(
                'affiliatehub_click',
                ['id_order' => (int) $order->id, 'click_id' => pSQL($click)],
                false,
                true,
                Db::INSERT_IGNORE
            );
        }
        $this->tellOrder((int) $order->id);
    }

    public function hookActionOrderHistoryAddAfter($params)
    {
        $this->tellOrder((int) $params['order_history']->id_order);
    }

    public function hookActionOrderSlipAdd($params)
    {
        $this->tellOrder((int) $params['order']->id);
    }

    public function hookActionProductSave($params)
    {
        $this->tellProduct((int) $params['id_product']);
    }

    public function hookActionUpdateQuantity($params)
    {
        $this->tellProduct((int) $params['id_product']);
    }

    private function tellOrder($id)
    {
        $order = new Order($id);
        if (Validate::isLoadedObject($order)) {
            $this->post('order', ['order' => affiliatehub_order($order)]);
        }
    }

    private function tellProduct($id)
    {
        $product = new Product($id, false, (int) Configuration::get('PS_LANG_DEFAULT'));
        if (Validate::isLoadedObject($product)) {
            $this->post('product', ['product' => affiliatehub_product($product, $this->context->link)]);
        }
    }

    /** Posts a snapshot; a shop must never wait long or fail because the hub is away, so errors end in the log. */
    private function post($topic, array $parts)
    {
        $settings = $this->settings();
        $body = affiliatehub_body($topic, bin2hex(random_bytes(16)), $parts);
        $request = curl_init($settings['url']);
        curl_setopt_array($request, [
            CURLOPT_POST => true,
            CURLOPT_POSTFIELDS => $body,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_CONNECTTIMEOUT => 2,
            CURLOPT_TIMEOUT => 5,
            CURLOPT_HTTPHEADER => [
                'Content-Type: application/json',
                'X-Affiliate-Hub-Signature: ' . affiliatehub_signature($body, $settings['secret']),
            ],
        ]);
        curl_exec($request);
        $status = (int) curl_getinfo($request, CURLINFO_HTTP_CODE);
        curl_close($request);
        if ($status !== 200) {
            PrestaShopLogger::addLog('Affiliate hub: ' . $topic . ' was answered ' . $status, 2);
        }
        return $status;
    }

    private function settings()
    {
        return require __DIR__ . '/settings.php';
    }
}
