"""What is wrong with a form stands at its field, in a page's words."""

from __future__ import annotations

from hub.pages.form_faults import worded


def test_a_fault_belongs_to_the_field_whose_value_it_quotes() -> None:
    """One that quotes nothing, or what two fields have, stays above the form."""
    sentence = "'zz' is not an e-mail address; write it like ann@shop.example."
    assert worded({"": sentence}, {"name": "Ann", "email": "zz"}) == {"email": sentence}
    assert worded({"": sentence}, {"name": "zz", "email": "zz"}) == {"": sentence}
    assert worded({"": "It is closed."}, {"name": ""}) == {"": "It is closed."}


def test_names_of_the_api_become_words() -> None:
    said = worded({"rate": '`defaultCommissionValue` must be a decimal number as a string such as "8"'}, {})
    assert said == {"rate": 'The rate must be a decimal number such as "8"'}


def test_a_field_that_another_is_compared_with_becomes_words_too() -> None:
    assert worded({"endDate": "`endDate` must be after startDate"}, {}) == {
        "endDate": "The end date must be after the start date"
    }
    assert worded({"": "'x' comes after startDate of now."}, {}) == {"": "'x' comes after startDate of now."}


def test_what_was_left_empty_is_asked_for() -> None:
    """Nobody reads of two quotes with nothing between them, nor of 0 characters."""
    said = {
        "'' is not an e-mail address; write it like a@b.example.": "Type an e-mail address, like a@b.example.",
        "'' is not a domain; write it bare, like shop.example (or 127.0.0.1:8081).": (
            "Type a domain, like shop.example (or 127.0.0.1:8081)."
        ),
        "A reason has 1 to 255 printable characters; '' has 0.": "A reason is needed here.",
        "A payout reference has 1 to 255 printable characters; '' does not.": "A payout reference is needed here.",
        "A name has 1 to 255 printable characters; this one has 0.": "A name is needed here.",
    }
    assert {sentence: worded({"": sentence}, {})[""] for sentence in said} == said
    too_long = "A name has 1 to 255 printable characters; 'x' has 300."
    assert worded({"": too_long}, {}) == {"": too_long}


def test_a_page_does_not_lead_to_a_command() -> None:
    assert worded({"": "There is no merchant 'zz'. `hub merchant list` shows them all."}, {}) == {
        "": "There is no merchant 'zz'."
    }
    assert worded({"": "`hub audit` says why."}, {}) == {"": "`hub audit` says why."}
