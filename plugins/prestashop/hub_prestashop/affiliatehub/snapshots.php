<?php
/**
 * What the module sends: snapshots of orders and products as arrays, and how they are written and signed.
 *
 * License: Apache-2.0
 */

if (!defined('_PS_VERSION_')) {
    exit;
}

function affiliatehub_body($topic, $delivery, array $parts)
{
    $now = microtime(true);
    $envelope = [
        'platform' => 'prestashop', 'topic' => $topic, 'delivery' => $delivery, 'sent_at' => gmdate('Y-m-d\TH:i:s\Z', (int) $now),
        'clock' => (int) ($now * 1000),
    ];
    return json_encode($envelope + $parts, JSON_INVALID_UTF8_SUBSTITUTE);
}

/** What is said of an order or a product that the shop has no longer. */
function affiliatehub_gone($id)
{
    return ['id' => (int) $id, 'gone' => true];
}

function affiliatehub_signature($body, $secret)
{
    return 'sha256=' . hash_hmac('sha256', $body, $secret);
}

/** PrestaShop keeps times in the shop's zone without an offset, and "0000-00-00 00:00:00" for never. */
function affiliatehub_time($text)
{
    if (!$text || strpos($text, '0000-00-00') === 0) {
        return null;
    }
    $zone = new DateTimeZone(Configuration::get('PS_TIMEZONE') ?: date_default_timezone_get());
    return (new DateTime($text, $zone))->setTimezone(new DateTimeZone('UTC'))->format('Y-m-d\TH:i:s\Z');
}

/** Money in exact decimals as text: a float such as 1.0E+25 or 0.1 + 0.2 must never reach the wire. */
function affiliatehub_money($amount)
{
    return number_format((float) $amount, 6, '.', '');
}

function affiliatehub_order($order)
{
    $currency = new Currency((int) $order->id_currency);
    $discounts = affiliatehub_discounts($order);
    return [
        'id' => (int) $order->id,
        'reference' => (string) $order->reference,
        'currency' => (string) $currency->iso_code,
        'date' => affiliatehub_time($order->date_add),
        'total_paid_tax_incl' => affiliatehub_money($order->total_paid_tax_incl),
        'total_discounts_tax_excl' => affiliatehub_money($discounts['tax_excl']),
        'total_discounts_tax_incl' => affiliatehub_money($discounts['tax_incl']),
        'click_id' => affiliatehub_click('order', (int) $order->id),
        'codes' => $discounts['codes'],
        'customer' => affiliatehub_customer($order),
        'rows' => array_map('affiliatehub_row', array_values($order->getProductsDetail())),
        'history' => affiliatehub_history((int) $order->id),
        'slips' => affiliatehub_slips($order),
    ];
}

/** The buyer's e-mail address, by which a campaign may know them again. */
function affiliatehub_customer($order)
{
    $email = (string) (new Customer((int) $order->id_customer))->email;
    return $email === '' || substr($email, -11) === '@psgdpr.com' ? null : $email;
}

/** The order's discounts on goods: of a rule that also gives free shipping, the shipping is no discount on goods. */
function affiliatehub_discounts($order)
{
    $sum = ['tax_excl' => 0.0, 'tax_incl' => 0.0, 'codes' => []];
    foreach ($order->getCartRules() as $rule) {
        $free = !empty($rule['free_shipping']);
        $sum['tax_excl'] += max(0, $rule['value_tax_excl'] - ($free ? $order->total_shipping_tax_excl : 0));
        $sum['tax_incl'] += max(0, $rule['value'] - ($free ? $order->total_shipping_tax_incl : 0));
        $code = (new CartRule((int) $rule['id_cart_rule']))->code;
        if ($code) {
            $sum['codes'][] = (string) $code;
        }
    }
    return $sum;
}

function affiliatehub_row($detail)
{
    return [
        'product_id' => (int) $detail['product_id'],
        'product_attribute_id' => (int) $detail['product_attribute_id'],
        'reference' => (string) $detail['product_reference'],
        'quantity' => (int) $detail['product_quantity'],
        'total_tax_excl' => affiliatehub_money($detail['total_price_tax_excl']),
        'total_tax_incl' => affiliatehub_money($detail['total_price_tax_incl']),
    ];
}

function affiliatehub_history($id)
{
    $meanings = [
        (int) Configuration::get('PS_OS_DELIVERED') => 'delivered',
        (int) Configuration::get('PS_OS_CANCELED') => 'cancelled',
        (int) Configuration::get('PS_OS_REFUND') => 'refunded',
    ];
    $rows = Db::getInstance()->executeS(
        'SELECT h.id_order_state, h.date_add, s.paid FROM `' . _DB_PREFIX_ . 'order_history` h'
        . ' JOIN `' . _DB_PREFIX_ . 'order_state` s ON s.id_order_state = h.id_order_state'
        . ' WHERE h.id_order = ' . (int) $id . ' ORDER BY h.date_add, h.id_order_history'
    );
    return array_map(function ($row) use ($meanings) {
        $state = (int) $row['id_order_state'];
        return [
            'id' => $state,
            'date' => affiliatehub_time($row['date_add']),
            'paid' => (bool) $row['paid'],
            'meaning' => isset($meanings[$state]) ? $meanings[$state] : null,
        ];
    }, $rows ?: []);
}

function affiliatehub_slips($order)
{
    $lines = [];
    foreach ($order->getProductsDetail() as $line) {
        $lines[(int) $line['id_order_detail']] = $line;
    }
    $slips = [];
    foreach ($order->getOrderSlipsCollection() as $slip) {
        $slips[] = [
            'id' => (int) $slip->id,
            'date' => affiliatehub_time($slip->date_add),
            'amount_tax_incl' => affiliatehub_money($slip->total_products_tax_incl),
            'shipping_tax_incl' => affiliatehub_money($slip->total_shipping_tax_incl),
            'rows' => affiliatehub_slip_rows((int) $slip->id, $lines),
        ];
    }
    return $slips;
}

/** What a slip is for. PrestaShop's own `getOrdersSlipProducts` names every line of the order where it is shipping alone. */
function affiliatehub_slip_rows($id, array $lines)
{
    $rows = [];
    foreach (OrderSlip::getOrdersSlipDetail($id) as $back) {
        if (isset($lines[(int) $back['id_order_detail']])) {
            $totals = ['total_price_tax_excl' => $back['amount_tax_excl'], 'total_price_tax_incl' => $back['amount_tax_incl']];
            $quantity = ['product_quantity' => $back['product_quantity']];
            $rows[] = affiliatehub_row($totals + $quantity + $lines[(int) $back['id_order_detail']]);
        }
    }
    return $rows;
}

function affiliatehub_product($product, $link)
{
    $cover = Product::getCover((int) $product->id);
    $name = is_array($product->link_rewrite) ? reset($product->link_rewrite) : $product->link_rewrite;
    return [
        'id' => (int) $product->id,
        'name' => is_array($product->name) ? (string) reset($product->name) : (string) $product->name,
        'reference' => (string) $product->reference,
        'price' => affiliatehub_money($product->price),
        'url' => $link->getProductLink($product),
        'image_url' => $cover ? 'https://' . $link->getImageLink($name, $cover['id_image'], 'large_default') : null,
        'quantity' => (int) StockAvailable::getQuantityAvailableByProduct((int) $product->id),
        'active' => (bool) $product->active,
        'date' => affiliatehub_time($product->date_upd),
    ];
}
