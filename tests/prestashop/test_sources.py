"""All that the module asks of PrestaShop is there, in the sources of each version that is named.

`HUB_PRESTASHOP` and `HUB_PRESTASHOP_8` name folders with the sources of PrestaShop 9 and 8 (`classes` and `src` are
enough). A shop of version 8 is not run, so this says what would fail there: a hook that is not called, a member of a
class or a column that does not exist.
"""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path

import hub_prestashop
import pytest

pytestmark = pytest.mark.prove
MODULE = Path(hub_prestashop.__file__).parent / "affiliatehub"
VERSIONS = {"HUB_PRESTASHOP_8": "8.", "HUB_PRESTASHOP": "9."}
OF_OBJECTS = {
    "Order": "id id_cart id_currency id_customer reference date_add total_paid_tax_incl total_shipping_tax_excl "
             "total_shipping_tax_incl getProductsDetail getCartRules getOrderSlipsCollection",
    "OrderHistory": "id_order",
    "OrderSlip": "id id_order date_add total_products_tax_incl total_shipping_tax_incl",
    "Product": "id name reference price link_rewrite active date_upd",
    "Currency": "iso_code",
    "Customer": "email",
    "CartRule": "code",
    "Link": "getModuleLink getProductLink getImageLink",
    "Context": "link controller",
    "FrontController": "registerJavascript",
    "Module": "name tab version author need_instance ps_versions_compliancy displayName description context install "
              "uninstall registerHook displayConfirmation displayError",
    "ModuleFrontController": "module",
    "Db": "insert update delete getValue getRow execute executeS",
}  # fmt: skip
"""What the module uses of each object that it is given."""
OF_EXCEPTIONS = {"getMessage", "setTimezone", "format"}
"""What it calls of PHP's own objects."""
COLUMNS = {
    "Order": "id_order date_upd", "OrderHistory": "id_order id_order_state date_add", "OrderState": "paid",
    "OrderDetail": "product_id product_attribute_id product_reference product_quantity total_price_tax_excl "
                   "total_price_tax_incl",
    "OrderCartRule": "id_cart_rule value value_tax_excl free_shipping",
}  # fmt: skip
"""Columns that it reads by name, from queries of its own or PrestaShop's."""


def _has_sources(variable: str) -> bool:
    return (Path(os.environ.get(variable, "/nowhere")) / "classes/order/Order.php").is_file()


GIVEN = [variable for variable in VERSIONS if _has_sources(variable)]
if not GIVEN:
    pytest.skip(f"NO SOURCES OF PRESTASHOP WERE READ: {' and '.join(VERSIONS)} name none", allow_module_level=True)


@pytest.fixture(params=GIVEN)
def sources(request: pytest.FixtureRequest) -> Path:
    """Give the folder of a version's sources."""
    folder = Path(os.environ[request.param])
    version = re.search(r"VERSION = '(\d+\.)", (folder / "src/Core/Version.php").read_text())
    assert version is not None
    assert version[1] == VERSIONS[request.param]
    return folder


@pytest.mark.parametrize("variable", VERSIONS)
def test_each_version_is_there(variable: str) -> None:
    """So that the summary says which was not read."""
    if variable not in GIVEN:
        pytest.skip(f"NO SOURCES OF PRESTASHOP {VERSIONS[variable]}X WERE READ: {variable} names none")


@cache
def php_of(folder: Path) -> str:
    """Return all that PHP files in a folder say."""
    return "\n".join(file.read_text(errors="replace") for file in sorted(folder.rglob("*.php")))


def class_of(sources: Path, name: str) -> str:
    """Return the source of a class of PrestaShop and of those that it extends."""
    (found,) = (each for each in sources.glob(f"classes/**/{name}.php") if not each.is_symlink())
    text = found.read_text()
    above = re.search(rf"class {name}(?:Core)? extends (\w+?)(?:Core)?\b", text)
    if above is None or above[1] == "AbstractAssetManager" or not list(sources.glob(f"classes/**/{above[1]}.php")):
        return text
    return text + class_of(sources, above[1])


def has(text: str, member: str) -> bool:
    """Whether a class declares a property, a method or a constant, or a magic property in its description."""
    declared = rf"(?:\$|function |const |@property\S* \S+ \$){member}\b"
    return re.search(declared, text) is not None


def test_every_hook_is_called(sources: Path) -> None:
    said = php_of(sources / "classes") + php_of(sources / "src")
    head = re.search(r"const HOOKS = \[(.*?)\];", (MODULE / "affiliatehub.php").read_text(), re.DOTALL)
    assert head is not None
    missing = []
    for hook in re.findall(r"'(\w+)'", head[1]):
        if (of := re.fullmatch(r"actionObject(\w+?)(Add|Update|Delete)(After)", hook)) is not None:
            class_of(sources, of[1])
            called = f"getFullyQualifiedName() . '{of[2]}{of[3]}'" in said
        else:
            called = re.search(rf"(?:Hook::exec|dispatchWithParameters|exec)\(\s*'{hook}'", said) is not None
        if not called:
            missing.append(hook)
    assert missing == []


def test_every_static_member_exists(sources: Path) -> None:
    missing = []
    for name, member in set(re.findall(r"\b([A-Z]\w+)::(\w+)", php_of(MODULE))):
        if name not in ("AffiliateHub", "DateTimeZone", "DateTime") and not has(class_of(sources, name), member):
            missing.append(f"{name}::{member}")
    assert missing == []


@pytest.mark.parametrize("name", OF_OBJECTS)
def test_every_member_of_an_object_exists(sources: Path, name: str) -> None:
    text = class_of(sources, name)
    assert [member for member in OF_OBJECTS[name].split() if not has(text, member)] == []


@pytest.mark.parametrize("name", COLUMNS)
def test_every_column_exists(sources: Path, name: str) -> None:
    text = class_of(sources, name)
    primary = re.search(r"'primary' => '(\w+)'", text)
    known = set(re.findall(r"'(\w+)' => \[", text)) | {primary[1] if primary else ""}
    assert [column for column in COLUMNS[name].split() if column not in known] == []


def test_nothing_else_of_an_object_is_used() -> None:
    """The control: a member that the module uses and this file does not name."""
    named = {member for members in OF_OBJECTS.values() for member in members.split()}
    own = set(re.findall(r"function (\w+)|private \$(\w+)", php_of(MODULE)))
    used = set(re.findall(r"->(\w+)", php_of(MODULE)))
    assert used - named - {part for pair in own for part in pair} - OF_EXCEPTIONS == set()


def test_a_member_that_is_not_there_is_noticed() -> None:
    """The control of the others."""
    text = "class OrderCore { public $id; const A = 1; /** @property int $b */ function c() {} }"
    assert [has(text, name) for name in ("id", "A", "b", "c", "d", "i")] == [True, True, True, True, False, False]
