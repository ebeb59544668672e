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
require_once __DIR__ . '/outbox.php';
require_once __DIR__ . '/transport.php';

class AffiliateHub extends Module
{
    const HOOKS = [
        'displayHeader', 'actionCartSave', 'actionValidateOrder', 'actionOrderHistoryAddAfter', 'actionOrderSlipAdd',
        // What the back office edits changes no state, and other modules call none of its hooks.
        'actionOrderEdited', 'actionObjectOrderUpdateAfter', 'actionObjectOrderDeleteAfter',
        'actionObjectOrderSlipAddAfter', 'actionObjectOrderSlipDeleteAfter',
        'actionProductSave', 'actionUpdateQuantity', 'actionObjectProductDeleteAfter',
    ];

    /** When the hub was last asked to prove itself, and when it last did. */
    const ASKED = 'AFFILIATEHUB_ASKED';
    const PROVED = 'AFFILIATEHUB_PROVED';
    const DAY = 86400;

    private $is_begun = false;

    public function __construct()
    {
        $this->name = 'affiliatehub';
        $this->tab = 'advertising_marketing';
        $this->version = '0.3.0';
        $this->author = 'Affiliate hub';
        $this->need_instance = 0;
        $this->ps_versions_compliancy = ['min' => '1.7.6', 'max' => '9.99.99'];
        parent::__construct();
        $this->displayName = 'Affiliate hub';
        $this->description = 'Tells your affiliate hub of orders, payments, parcels and refunds.';
    }

    public function install()
    {
        return parent::install() && $this->registerHook(self::HOOKS) && affiliatehub_tables();
    }

    /** The clicks of orders stay, for a module that is installed again; the rest is of no use without it. */
    public function uninstall()
    {
        Configuration::deleteByName(self::ASKED);
        Configuration::deleteByName(self::PROVED);
        $tables = '`' . _DB_PREFIX_ . AFFILIATEHUB_OUTBOX . '`, `' . _DB_PREFIX_ . AFFILIATEHUB_CLICKS['cart'] . '`';
        return parent::uninstall() && Db::getInstance()->execute('DROP TABLE IF EXISTS ' . $tables);
    }

    public function getContent()
    {
        $html = '';
        if (Tools::isSubmit('affiliatehub_test')) {
            $html = $this->tested($this->post('ping', []));
        }
        if (Tools::isSubmit('affiliatehub_again')) {
            $html = $this->displayConfirmation($this->queueOrdersSince(time() - 30 * 86400) . ' orders are sent again.');
            $this->begin();
        }
        $address = htmlspecialchars($this->sendAddress(), ENT_QUOTES);
        return $html . $this->proved() . '<p>' . affiliatehub_waiting() . ' orders and products wait to be sent. Each is tried again until the hub has'
            . ' it, after a minute at first and at most six hours; visits to the shop see to it, and in a quiet shop a cron job'
            . ' that asks for this address every five minutes:</p><p><code>' . $address . '</code></p>'
            . '<form method="post"><button class="btn btn-primary" name="affiliatehub_test" value="1">Send a test</button> '
            . '<button class="btn btn-default" name="affiliatehub_again" value="1">Send the orders of 30 days again</button></form>';
    }

    public function hookDisplayHeader()
    {
        $url = $this->settings()['capture_url'];
        $this->context->controller->registerJavascript('affiliatehub', $url, ['server' => 'remote', 'attributes' => 'defer']);
        if (affiliatehub_waiting(time()) || $this->isProofDue()) {
            $this->begin();
        }
    }

    /** Keeps the click with the cart: whoever makes the order of it may be the payment's server, without any cookie. */
    public function hookActionCartSave($params)
    {
        $click = $this->clickOfBuyer();
        if ($click !== null && !empty($params['cart']->id)) {
            $this->quietly(function () use ($click, $params) {
                affiliatehub_keep_click('cart', (int) $params['cart']->id, $click);
            });
        }
    }

    public function hookActionValidateOrder($params)
    {
        $this->quietly(function () use ($params) {
            $cart = (int) $params['order']->id_cart;
            affiliatehub_keep_click('order', (int) $params['order']->id, $this->clickOfBuyer() ?: affiliatehub_click('cart', $cart));
        });
        $this->tell('order', $params['order']->id);
    }

    public function hookActionOrderEdited($params)
    {
        $this->tell('order', $params['order']->id);
    }

    public function hookActionObjectOrderUpdateAfter($params)
    {
        $this->tell('order', $params['object']->id);
    }

    public function hookActionObjectOrderDeleteAfter($params)
    {
        $this->tell('order', $params['object']->id);
    }

    public function hookActionObjectOrderSlipAddAfter($params)
    {
        $this->tell('order', $params['object']->id_order);
    }

    public function hookActionObjectOrderSlipDeleteAfter($params)
    {
        $this->tell('order', $params['object']->id_order);
    }

    public function hookActionOrderHistoryAddAfter($params)
    {
        $this->tell('order', $params['order_history']->id_order);
    }

    public function hookActionOrderSlipAdd($params)
    {
        $this->tell('order', $params['order']->id);
    }

    public function hookActionProductSave($params)
    {
        $this->tell('product', $params['id_product']);
    }

    public function hookActionObjectProductDeleteAfter($params)
    {
        $this->tell('product', $params['object']->id);
    }

    public function hookActionUpdateQuantity($params)
    {
        $this->tell('product', $params['id_product']);
    }

    /** Sends what is due, for at most so many seconds, and once a day asks whether the hub is the hub. */
    public function send($seconds)
    {
        affiliatehub_send([$this, 'parts'], [$this, 'post'], $seconds);
        if ($this->isProofDue()) {
            Configuration::updateGlobalValue(self::ASKED, time());
            $status = affiliatehub_prove($this->settings()['url'], $this->settings()['secret']);
            if ($status === 200) {
                Configuration::updateGlobalValue(self::PROVED, time());
            } else {
                PrestaShopLogger::addLog('Affiliate hub: the daily question: ' . $this->meaning($status), 2);
            }
        }
    }

    /** What the address that sends is asked with, so that no stranger makes the shop work. */
    public function sendToken()
    {
        return hash_hmac('sha256', 'send', $this->settings()['secret']);
    }

    /** Gives the snapshot of an order or a product, or that it is gone. */
    public function parts($topic, $id)
    {
        if ($topic === 'order') {
            $order = new Order($id);
            return ['order' => Validate::isLoadedObject($order) ? affiliatehub_order($order) : affiliatehub_gone($id)];
        }
        $product = new Product($id, false, (int) Configuration::get('PS_LANG_DEFAULT'));
        $is_there = Validate::isLoadedObject($product);
        return ['product' => $is_there ? affiliatehub_product($product, $this->context->link) : affiliatehub_gone($id)];
    }

    /** Posts a snapshot; gives the status of the hub's answer, and logs any but the hub's own 200. */
    public function post($topic, array $parts)
    {
        $settings = $this->settings();
        $body = affiliatehub_body($topic, bin2hex(random_bytes(16)), $parts);
        $status = affiliatehub_post($settings['url'], $settings['secret'], $body);
        if ($status !== 200) {
            PrestaShopLogger::addLog('Affiliate hub: ' . $topic . ': ' . $this->meaning($status), 2);
        }
        return $status;
    }

    /** Gives the click of the buyer whose request this is; an employee who writes an order is no buyer. */
    private function clickOfBuyer()
    {
        $click = isset($_COOKIE['affiliate_click_id']) ? (string) $_COOKIE['affiliate_click_id'] : '';
        return !defined('_PS_ADMIN_DIR_') && preg_match('/^[A-Za-z0-9_-]{1,128}$/', $click) ? $click : null;
    }

    /** Notes that a thing must be told. */
    private function tell($topic, $id)
    {
        $this->quietly(function () use ($topic, $id) {
            affiliatehub_queue($topic, (int) $id);
            $this->begin();
        });
    }

    /** Does something; a shop must never wait or fail because the hub is away, or a table of the module's is. */
    private function quietly(callable $work)
    {
        try {
            $work();
        } catch (Throwable $fault) {
            PrestaShopLogger::addLog('Affiliate hub: ' . $fault->getMessage(), 3);
        }
    }

    /** Has what waits sent after this request: by this process once the buyer has the page, or else by another one. */
    private function begin()
    {
        if ($this->is_begun) {
            return;
        }
        $this->is_begun = true;
        $work = function () {
            $this->send(20);
        };
        if (!affiliatehub_after_answer($work)) {
            register_shutdown_function('affiliatehub_knock', $this->sendAddress());
        }
    }

    private function sendAddress()
    {
        return $this->context->link->getModuleLink('affiliatehub', 'send', ['token' => $this->sendToken()]);
    }

    private function queueOrdersSince($time)
    {
        $rows = Db::getInstance()->executeS(
            'SELECT id_order FROM `' . _DB_PREFIX_ . "orders` WHERE date_upd >= '" . pSQL(date('Y-m-d H:i:s', $time)) . "'",
            true,
            false
        );
        foreach ($rows ?: [] as $row) {
            affiliatehub_queue('order', (int) $row['id_order']);
        }
        return count($rows ?: []);
    }

    private function isProofDue()
    {
        return time() - (int) Configuration::getGlobalValue(self::ASKED) >= self::DAY;
    }

    /** Says when the hub last proved itself, which it is asked to every day, whatever is sold. */
    private function proved()
    {
        $at = (int) Configuration::getGlobalValue(self::PROVED);
        if (!$at) {
            return '';
        }
        $said = date('Y-m-d H:i', $at);
        return time() - $at < 2 * self::DAY
            ? "<p>The hub last proved itself at $said.</p>"
            : $this->displayError("The hub has not proved itself since $said: something else may answer at its address. Send a test.");
    }

    private function tested($status)
    {
        return $status === 200
            ? $this->displayConfirmation('The hub has the test.')
            : $this->displayError($this->meaning($status));
    }

    private function meaning($status)
    {
        if ($status === -200) {
            return 'something answered 200 that is not the hub: a parked domain, a proxy, or a hub with another secret.';
        }
        return $status === 0 ? 'the hub could not be reached.' : 'the hub answered ' . (int) $status . '.';
    }

    private function settings()
    {
        return require __DIR__ . '/settings.php';
    }
}
