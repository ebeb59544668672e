"""What an order, a click and a read cost stays under its ceiling, and the table of ceilings is the one in the document.

The control of each figure is a cost that is a little higher: it is named, with what to do.
"""

from __future__ import annotations

import copy

import pytest

from bench.budget import instructions
from bench.budget.acts import ACTS
from bench.budget.ceilings import FIGURES, OF_ONE_PYTHON, Costs, grown, load, measured_on, this_machine
from bench.budget.counts import counted_apart
from bench.budget.document import PAGE, with_table
from bench.faults import Missing

COUNTS = 3
COUNTED = tuple(name for name in FIGURES if name != "instructions")


def test_an_act_costs_no_more_than_its_ceiling() -> None:
    """Statements, trees, bytes and calls are counted, not timed.

    How many requests a batch holds depends on when the commit before it ends, so that a busy machine may count more,
    but never less than the act costs: a figure that grew has grown in each of three counts.
    """
    same_python = this_machine()["python"] == measured_on()["python"]
    names = tuple(name for name in COUNTED if same_python or name not in OF_ONE_PYTHON)
    costs: Costs = counted_apart()
    for _ in range(COUNTS - 1):
        if grown(costs, load(), names):
            costs = least(costs, counted_apart())
    assert "\n".join(grown(costs, load(), names)) == ""
    assert costs.keys() == {act.name for act in ACTS}


@pytest.mark.prove
def test_an_act_takes_no_more_instructions_than_its_ceiling() -> None:
    """Of those, too, a busy machine may count more: what grew has grown in each of three counts."""
    if this_machine() != measured_on():
        pytest.skip(f"the ceilings of instructions are those of {dict(measured_on())}, this is {dict(this_machine())}")
    costs = instructions_counted()
    for _ in range(COUNTS - 1):
        if grown(costs, load(), ("instructions",)):
            costs = least(costs, instructions_counted())
    assert costs.keys() == {act.name for act in ACTS}
    assert "\n".join(grown(costs, load(), ("instructions",))) == ""


def least(first: Costs, second: Costs) -> Costs:
    """Return the lower one of two counts of each figure."""
    return {
        act: {name: min(figure, second[act][name]) for name, figure in figures.items()}
        for act, figures in first.items()
    }


def instructions_counted() -> Costs:
    """Count the instructions of each act, or skip the test where that is not possible."""
    try:
        counted = instructions.count()
    except Missing as fault:
        pytest.skip(f"instructions are not counted: {fault}")
    return {act: {"instructions": float(each.total)} for act, each in counted.items()}


def test_the_table_in_the_document_is_that_of_the_ceilings() -> None:
    page = PAGE.read_text("utf-8")
    assert with_table(page, load()) == page, "Run `make budget`."


@pytest.mark.parametrize("name", FIGURES)
def test_what_grew_is_named_with_what_to_do(name: str) -> None:
    ceilings = load()
    costs: dict[str, dict[str, float]] = copy.deepcopy({act: dict(each) for act, each in ceilings.items()})
    assert grown(costs, ceilings, tuple(FIGURES)) == []
    costs["decide"][name] = costs["decide"][name] * 1.05 + 200
    (sentence,) = grown(costs, ceilings, tuple(FIGURES))
    assert sentence.startswith("`decide`")
    assert f"{costs['decide'][name]:,.0f}" in sentence
    assert "make budget" in sentence


def test_an_act_without_a_ceiling_is_named() -> None:
    ceilings: Costs = {act: each for act, each in load().items() if act != "click"}
    assert len(grown(load(), ceilings, ("trees",))) == 1
