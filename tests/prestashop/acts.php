<?php
// What shop owners, buyers and time do in the tests; run.php loads it inside PrestaShop.

/** Pays as a payment module does: PrestaShop makes the order. */
class ShopPayment extends PaymentModule
{
    public $active = 1;
    public $name = 'ps_shoppayment';
    public $displayName = 'Payment of the tests';
}

/** Gives what every page of the shop has before it begins. */
function act_enter()
{
    $context = Context::getContext();
    if (defined('_PS_ADMIN_DIR_')) {
        require_once _PS_ROOT_DIR_ . '/app/AdminKernel.php';
        $GLOBALS['kernel'] = new AdminKernel(_PS_ENV_, false);
        $GLOBALS['kernel']->boot();
        $context->container = $GLOBALS['kernel']->getContainer();
    } else {
        $context->container = PrestaShop\PrestaShop\Adapter\ContainerBuilder::getContainer('front', false);
    }
    $context->currency = Currency::getDefaultCurrency();
    $context->employee = new Employee(1);
    $context->cart = $context->cart ?: new Cart();
    $context->customer = $context->customer ?: new Customer();
}

/** Sets up a shop that sells two things to one buyer: with tax of 20 % on top, and one way of shipping at 5.00. */
function act_set_up()
{
    foreach (['PS_WEBSERVICE' => 1, 'PS_MAIL_METHOD' => 3, 'PS_STOCK_MANAGEMENT' => 1, 'PS_ORDER_OUT_OF_STOCK' => 1,
        'PS_SHIPPING_HANDLING' => 0, 'PS_TAX' => 1, 'PS_SHIPPING_METHOD' => 0] as $name => $value) {
        Configuration::updateValue($name, $value);
    }
    $tax = new Tax();
    $tax->name = act_text('VAT');
    $tax->rate = 20;
    $tax->active = true;
    $tax->add();
    $group = new TaxRulesGroup();
    $group->name = 'VAT';
    $group->active = true;
    $group->add();
    $rule = new TaxRule();
    $rule->id_tax_rules_group = $group->id;
    $rule->id_country = (int) Configuration::get('PS_COUNTRY_DEFAULT');
    $rule->id_tax = $tax->id;
    $rule->behavior = 0;
    $rule->add();
    act_carrier();
    $customer = new Customer();
    $customer->firstname = 'Ann';
    $customer->lastname = 'Buyer';
    $customer->email = 'ann@buyer.example';
    $customer->setWsPasswd('a long secret of hers');
    $customer->add();
    $address = new Address();
    $address->id_customer = $customer->id;
    $address->id_country = (int) Configuration::get('PS_COUNTRY_DEFAULT');
    $address->alias = 'Home';
    $address->firstname = 'Ann';
    $address->lastname = 'Buyer';
    $address->address1 = '1 Road';
    $address->city = 'Dublin';
    $address->postcode = 'D01 AB12';
    $address->add();
    Configuration::updateValue('ACT_BUYER', $customer->id);
    Configuration::updateValue('ACT_ADDRESS', $address->id);
    return ['Lantern' => act_product('Lantern', 50, $group->id), 'Rope' => act_product('Rope', 20, $group->id)];
}

function act_text($text)
{
    return array_fill_keys(Language::getIDs(false), $text);
}

function act_carrier()
{
    $carrier = new Carrier();
    $carrier->name = 'Parcel';
    $carrier->delay = act_text('Soon');
    $carrier->active = true;
    $carrier->shipping_handling = false;
    $carrier->is_free = false;
    $carrier->shipping_method = Carrier::SHIPPING_METHOD_PRICE;
    $carrier->range_behavior = 0;
    $carrier->add();
    $carrier->setGroups(array_column(Group::getGroups(1), 'id_group'));
    $range = new RangePrice();
    $range->id_carrier = $carrier->id;
    $range->delimiter1 = 0;
    $range->delimiter2 = 1000000;
    $range->add();
    foreach (Zone::getZones() as $zone) {
        $carrier->addZone($zone['id_zone']);
        Db::getInstance()->update('delivery', ['price' => 5], 'id_carrier = ' . (int) $carrier->id);
    }
    Configuration::updateValue('PS_CARRIER_DEFAULT', $carrier->id);
}

function act_product($name, $price, $tax_group = 0)
{
    $product = new Product();
    $product->name = act_text($name);
    $product->link_rewrite = act_text(strtolower($name));
    $product->price = $price;
    $product->reference = strtoupper($name);
    $product->id_tax_rules_group = $tax_group;
    $product->id_category_default = (int) Configuration::get('PS_HOME_CATEGORY');
    $product->active = true;
    $product->add();
    $product->addToCategories([$product->id_category_default]);
    StockAvailable::setQuantity($product->id, 0, 1000);
    return (int) $product->id;
}

/** Adds a currency that is worth so little; gives its id. */
function act_currency($code, $rate)
{
    $currency = new Currency();
    $currency->iso_code = $code;
    $currency->name = act_text($code);
    $currency->symbol = act_text($code);
    $currency->conversion_rate = $rate;
    $currency->active = true;
    $currency->add();
    return (int) $currency->id;
}

/** Fills a buyer's cart; the click is a cookie of theirs. */
function act_cart($click, array $lines, $code = '', $currency = null)
{
    $_COOKIE['affiliate_click_id'] = $click;
    $context = Context::getContext();
    $buyer = new Customer((int) Configuration::get('ACT_BUYER'));
    $context->customer = $buyer;
    $cart = new Cart();
    $cart->id_customer = $buyer->id;
    $cart->secure_key = $buyer->secure_key;
    $cart->id_address_delivery = $cart->id_address_invoice = (int) Configuration::get('ACT_ADDRESS');
    $cart->id_currency = $currency ?: (int) Configuration::get('PS_CURRENCY_DEFAULT');
    $cart->id_lang = (int) Configuration::get('PS_LANG_DEFAULT');
    $cart->id_shop = 1;
    $cart->id_shop_group = 1;
    $cart->add();
    $context->currency = new Currency($cart->id_currency);
    $context->cart = $cart;
    foreach ($lines as $product => $quantity) {
        $cart->updateQty($quantity, $product);
    }
    if ($code !== '') {
        $cart->addCartRule((int) CartRule::getIdByCode($code));
    }
    return $cart;
}

/** Places the order of a cart, as what pays for it does; the state is PrestaShop's name for it. */
function act_place($cart, $state = 'PS_OS_CHEQUE')
{
    $payment = new ShopPayment();
    $total = $cart->getOrderTotal();
    $payment->validateOrder($cart->id, (int) Configuration::get($state), $total, 'Card', null, [], null, false, $cart->secure_key);
    return (int) $payment->currentOrder;
}

function act_order($click, array $lines, $code = '')
{
    return act_place(act_cart($click, $lines, $code));
}

/** Makes a code that gives something at the checkout. */
function act_voucher($code, array $gives)
{
    $rule = new CartRule();
    $rule->name = act_text($code);
    $rule->code = $code;
    $rule->quantity = $rule->quantity_per_user = 1000;
    $rule->date_from = '2020-01-01 00:00:00';
    $rule->date_to = '2099-01-01 00:00:00';
    $rule->active = true;
    $rule->reduction_currency = (int) Configuration::get('PS_CURRENCY_DEFAULT');
    $rule->reduction_tax = true;
    foreach ($gives as $name => $value) {
        $rule->$name = $value;
    }
    return $rule->add();
}

/** Does something as the back office does it, by the command of its page. */
function act_command($command)
{
    $GLOBALS['kernel']->getContainer()->get('prestashop.core.command_bus')->handle($command);
}

function act_state($order, $name)
{
    act_command(new PrestaShop\PrestaShop\Core\Domain\Order\Command\UpdateOrderStatusCommand($order->id, (int) Configuration::get($name)));
}

/** Gives the id of the order's line with a product. */
function act_line($order, $product)
{
    foreach (OrderDetail::getList($order->id) as $line) {
        if ((int) $line['product_id'] === (int) $product) {
            return (int) $line['id_order_detail'];
        }
    }
}

/** Gives money back by a credit slip, tax included: for pieces of a product, and for the shipping. */
function act_refund($order, $product, $pieces, $money, $shipping = 0)
{
    $lines = $product ? [act_line($order, $product) => ['quantity' => $pieces, 'amount' => (string) $money]] : [];
    act_command(new PrestaShop\PrestaShop\Core\Domain\Order\Command\IssuePartialRefundCommand(
        $order->id, $lines, (string) $shipping, false, true, false, 0
    ));
}

function act_add($order, $product, $pieces, $price)
{
    act_command(PrestaShop\PrestaShop\Core\Domain\Order\Product\Command\AddProductToOrderCommand::withNewInvoice(
        $order->id, $product, 0, (string) ($price * 1.2), (string) $price, $pieces
    ));
}

function act_pieces($order, $product, $pieces, $price)
{
    act_command(new PrestaShop\PrestaShop\Core\Domain\Order\Product\Command\UpdateProductInOrderCommand(
        $order->id, act_line($order, $product), (string) ($price * 1.2), (string) $price, $pieces
    ));
}

function act_take_out($order, $product)
{
    act_command(new PrestaShop\PrestaShop\Core\Domain\Order\Product\Command\DeleteProductFromOrderCommand($order->id, act_line($order, $product)));
}

/** Gives a reduction to a placed order: a percentage of its goods. */
function act_reduce($order, $percent)
{
    act_command(new PrestaShop\PrestaShop\Core\Domain\Order\Command\AddCartRuleToOrderCommand($order->id, 'Regular', 'percent', (string) $percent));
}

/** Lets what waits be sent now, whenever it is due; gives how much waits on. */
function act_send()
{
    $module = Module::getInstanceByName('affiliatehub');
    if (!$module || !Db::getInstance()->executeS("SHOW TABLES LIKE '" . _DB_PREFIX_ . "affiliatehub_outbox'")) {
        return 0;
    }
    Db::getInstance()->execute('UPDATE `' . _DB_PREFIX_ . 'affiliatehub_outbox` SET due_at = 0');
    $module->send(60);
    return affiliatehub_waiting();
}

/** Lets the module forget what waits, and PrestaShop what the module logged. */
function act_forget()
{
    if (Module::isInstalled('affiliatehub')) {
        Db::getInstance()->execute('DELETE FROM `' . _DB_PREFIX_ . 'affiliatehub_outbox`');
    }
    Db::getInstance()->execute('DELETE FROM `' . _DB_PREFIX_ . "log` WHERE message LIKE 'Affiliate hub%'");
}

/** Lets so many attempts fail. */
function act_fail($attempts)
{
    for ($i = 0; $i < $attempts; $i++) {
        act_send();
    }
    return affiliatehub_waiting();
}

/** Puts the shop back to before an order, as a backup does: its number is given to the next one. */
function act_restore($order)
{
    foreach (['orders', 'order_detail', 'order_history', 'order_carrier', 'affiliatehub_click'] as $table) {
        Db::getInstance()->execute('DELETE FROM `' . _DB_PREFIX_ . $table . '` WHERE id_order = ' . (int) $order);
    }
    Db::getInstance()->execute('ALTER TABLE `' . _DB_PREFIX_ . 'orders` AUTO_INCREMENT = ' . (int) $order);
}

/** Makes a key of the webservice that may see what the hub asks for. */
function act_key(array $resources)
{
    $key = new WebserviceKey();
    $key->key = strtoupper(substr(bin2hex(random_bytes(16)), 0, 32));
    $key->active = true;
    $key->description = 'Hub';
    $key->add();
    WebserviceKey::setPermissionForAccount($key->id, array_fill_keys($resources, ['GET' => 'on']));
    return $key->key;
}

function act_log()
{
    return array_column(Db::getInstance()->executeS(
        'SELECT message FROM `' . _DB_PREFIX_ . "log` WHERE message LIKE 'Affiliate hub%' ORDER BY id_log"
    ), 'message');
}
