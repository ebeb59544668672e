<?php
/**
 * As much of PrestaShop as the module asks for, over a table in memory: `php shop.php <folder of the module> <steps>`.
 * Each step is a line of JSON; what it says is printed as one.
 */

define('_PS_VERSION_', '9.0.0');
define('_DB_PREFIX_', 'ps_');
define('_DB_NAME_', 'shop');

class Module
{
    public $context;
    public $name, $tab, $version, $author, $need_instance, $ps_versions_compliancy, $displayName, $description;

    public function __construct()
    {
        $this->context = (object) ['link' => new Link(), 'controller' => new Controller()];
    }

    public function install() { return true; }
    public function uninstall() { return true; }
    public function registerHook($names) { return (array) $names !== []; }
    public function displayConfirmation($text) { return "<ok>$text</ok>"; }
    public function displayError($text) { return "<error>$text</error>"; }
}

class Controller
{
    public function registerJavascript($id, $url, $more) {}
}

class Link
{
    public function getModuleLink($module, $controller, $with)
    {
        return getenv('KNOCKED') . "/$module/$controller?" . http_build_query($with);
    }
}

/** The statements of the module and no others; any other is a fault. */
class Db
{
    const INSERT = 1, INSERT_IGNORE = 2, REPLACE = 3;

    public $rows = [];
    public $clicks = [];
    public $made = [];
    public $is_locked = false;
    public $is_broken = false;

    public static function getInstance()
    {
        static $one;
        return $one = $one ?: new self();
    }

    public function execute($sql)
    {
        $this->made[] = preg_replace('/\s+/', ' ', $sql);
        return true;
    }

    public function insert($table, $row, $null, $cache, $type)
    {
        if ($this->is_broken) {
            throw new Exception('the table is away');
        }
        if (isset($row['click_id'])) {
            $this->clicks[$table . ($row['id_order'] ?? $row['id_cart'])] = $row['click_id'];
            return $type === self::REPLACE;
        }
        $this->rows[$row['topic'] . $row['id_thing']] = $row;
        return $type === self::REPLACE;
    }

    public function update($table, $changes, $where)
    {
        foreach ($this->meant($where) as $key) {
            $this->rows[$key] = $changes + $this->rows[$key];
        }
        return true;
    }

    public function delete($table, $where)
    {
        if (preg_match('/^id_(?:order|cart) = (\d+)$/', $where, $thing)) {
            unset($this->clicks[$table . $thing[1]]);
            return true;
        }
        $this->rows = array_diff_key($this->rows, array_flip($this->meant($where)));
        return true;
    }

    public function getRow($sql, $cache)
    {
        preg_match('/WHERE due_at <= (\d+) ORDER BY due_at, topic, id_thing$/', $sql, $by);
        $due = array_filter($this->rows, function ($row) use ($by) { return $row['due_at'] <= $by[1]; });
        ksort($due);
        return reset($due);
    }

    public function getValue($sql, $cache = true)
    {
        if (strpos($sql, 'LOCK(')) {
            $was = $this->is_locked;
            $this->is_locked = strpos($sql, 'GET_LOCK') !== false;
            return $was ? 0 : 1;
        }
        if (preg_match('/FROM `ps_(affiliatehub_(?:click|cart))` WHERE id_(?:order|cart) = (\d+)$/', $sql, $thing)) {
            return $this->clicks[$thing[1] . $thing[2]] ?? false;
        }
        preg_match('/COUNT.* due_at <= (\d+)$/', $sql, $by);
        return count(array_filter($this->rows, function ($row) use ($by) { return !$by || $row['due_at'] <= $by[1]; }));
    }

    public function executeS($sql)
    {
        return strpos($sql, 'FROM `ps_orders`') ? [['id_order' => 7], ['id_order' => 8]] : [];
    }

    private function meant($where)
    {
        preg_match("/^topic = '(\w+)' AND id_thing = (\d+) AND mark = '(\w+)'$/", $where, $part);
        return array_keys(array_filter($this->rows, function ($row) use ($part) {
            return [$row['topic'], (string) $row['id_thing'], $row['mark']] === array_slice($part, 1);
        }));
    }
}

class Order
{
    public $id, $reference = 'XKBKNABJK', $id_currency = 1, $id_customer = 3, $date_add = '2026-03-01 10:00:00';
    public $total_paid_tax_incl = 72, $total_shipping_tax_excl = 0, $total_shipping_tax_incl = 0;

    public function __construct($id)
    {
        if ($id === 13) {
            throw new Exception('a row of this order cannot be read');
        }
        if (getenv('CHANGES') && !Db::getInstance()->is_broken) {
            affiliatehub_queue('order', $id);  // somebody changes it while it is sent
            putenv('CHANGES');
        }
        $this->id = $id === 404 ? null : $id;
    }

    public function getCartRules() { return []; }
    public static $slips = [];

    public function getProductsDetail()
    {
        $line = ['product_attribute_id' => 0, 'product_reference' => '', 'product_quantity' => 2,
            'total_price_tax_excl' => 60, 'total_price_tax_incl' => 72];
        return [['id_order_detail' => 1, 'product_id' => 21] + $line, ['id_order_detail' => 2, 'product_id' => 34] + $line];
    }

    public function getOrderSlipsCollection()
    {
        return array_map(function ($id) {
            return (object) ['id' => $id, 'date_add' => '2026-03-02 10:00:00', 'total_products_tax_incl' => 0,
                'total_shipping_tax_incl' => 6];
        }, array_keys(self::$slips));
    }
}

class OrderSlip
{
    public static function getOrdersSlipDetail($id)
    {
        return array_map(function ($line) {
            return ['id_order_detail' => $line, 'product_quantity' => 1, 'amount_tax_excl' => 30, 'amount_tax_incl' => 36];
        }, Order::$slips[$id]);
    }
}

class Currency { public $iso_code = 'EUR'; public function __construct($id) {} }
class Customer { public $email = 'ada@shop.example'; public function __construct($id) {} }
class Configuration
{
    public static $kept = [];
    public static function get($name) { return $name === 'PS_TIMEZONE' ? 'Europe/Paris' : 0; }
    /** The hub was just asked to prove itself, unless a step says otherwise. */
    public static function getGlobalValue($name) { return self::$kept[$name] ?? ($name === 'AFFILIATEHUB_ASKED' ? time() : false); }
    public static function updateGlobalValue($name, $value) { self::$kept[$name] = $value; return true; }
    public static function deleteByName($name) { unset(self::$kept[$name]); return true; }
}
class Validate { public static function isLoadedObject($thing) { return (bool) $thing->id; } }
class Tools { public static function isSubmit($name) { return $name === getenv('PRESSED'); } }
class PrestaShopLogger
{
    public static $said = [];
    public static function addLog($text, $level) { self::$said[] = $text; }
}
function pSQL($text) { return addslashes($text); }

require $argv[1] . '/affiliatehub.php';
$module = new AffiliateHub();
foreach (array_slice($argv, 2) as $step) {
    $part = explode(' ', $step);
    $started = microtime(true);
    PrestaShopLogger::$said = [];
    switch ($part[0]) {
        case 'order':
            $_COOKIE['affiliate_click_id'] = $part[2] ?? '';
            $module->hookActionValidateOrder(['order' => (object) ['id' => $part[1], 'id_cart' => $part[3] ?? 0]]);
            break;
        case 'cart':
            $_COOKIE['affiliate_click_id'] = $part[2];
            $module->hookActionCartSave(['cart' => (object) ['id' => $part[1]]]);
            break;
        case 'employee': define('_PS_ADMIN_DIR_', '/admin'); break;
        case 'edited': $module->hookActionOrderEdited(['order' => (object) ['id' => $part[1]]]); break;
        case 'slips': Order::$slips = json_decode($part[1], true); break;
        case 'history': $module->hookActionOrderHistoryAddAfter(['order_history' => (object) ['id_order' => $part[1]]]); break;
        case 'send': $module->send(10); break;
        case 'later': foreach (Db::getInstance()->rows as &$row) { $row['due_at'] -= $part[1]; } unset($row); break;
        case 'due': Configuration::$kept['AFFILIATEHUB_ASKED'] = time() - $part[1]; break;
        case 'aged': Configuration::$kept['AFFILIATEHUB_PROVED'] -= $part[1]; break;
        case 'visit': $module->hookDisplayHeader(); break;
        case 'uninstall': $module->uninstall(); break;
        case 'locked': Db::getInstance()->is_locked = true; break;
        case 'broken': Db::getInstance()->is_broken = true; break;
        case 'changes': putenv('CHANGES=1'); break;
        case 'press': putenv("PRESSED=$part[1]"); $page = $module->getContent(); break;
        case 'upgrade': require $argv[1] . '/upgrade/upgrade-0.3.0.php'; upgrade_module_0_3_0($module); break;
    }
    echo json_encode([
        'step' => $step, 'rows' => array_map(function ($row) {
            return ['attempts' => $row['attempts'], 'pause' => $row['due_at'] - time()];
        }, Db::getInstance()->rows),
        'kept' => (object) Configuration::$kept, 'log' => PrestaShopLogger::$said, 'page' => $page ?? '', 'made' => count(Db::getInstance()->made),
        'seconds' => microtime(true) - $started,
    ]), "\n";
}
