"""Programs of lessons, in a browser: they are run by the server, and the keyboard suffices."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.appearances import accessible
from tests.browser.inspector import Inspector

pytestmark = pytest.mark.browser


def test_an_exercise_is_solved_from_the_keyboard(inspector: Inspector) -> None:
    page = inspector.page
    page.goto(f"{inspector.server}/learn/write-it")
    exercise = page.locator("[data-program=average]")
    field = exercise.get_by_role("textbox")
    output = exercise.locator(".program-output")
    field.focus()
    page.keyboard.press("ControlOrMeta+Enter")
    expect(output).to_contain_text("Expected a tensor of the shape [3, 1]; got nothing.")
    field.press("ControlOrMeta+End")
    page.keyboard.press("Shift+Home")
    page.keyboard.type("    weights = torch.ones(len(x), len(x)).tril()\n")
    page.keyboard.type("return weights @ x / weights.sum(-1, keepdim=True)")  # indented by Enter
    expect(exercise.get_by_role("status")).to_have_text("Changed since it ran: run it again.")
    page.keyboard.press("ControlOrMeta+Enter")
    expect(output).to_contain_text("All checks agree.")
    shapes = exercise.get_by_role("list", name="What each line made")
    expect(shapes.locator("li").nth(1)).to_have_text(re.compile(r"^Line 4: weights \[8, 8\] ×3"))
    expect(exercise.get_by_text("A solution")).to_be_visible()
    page.keyboard.press("ControlOrMeta+z")  # typing and Enter can be undone
    expect(field).not_to_have_value(re.compile("keepdim=True"))
    page.keyboard.press("ControlOrMeta+y")
    accessible(page)

    page.reload()
    expect(field).to_have_value(re.compile("keepdim=True"))
    exercise.get_by_role("button", name="Start over").click()
    expect(field).to_have_value(re.compile(r"\.\.\.$"))


def test_shapes_stand_at_their_lines_and_the_fault_is_marked(inspector: Inspector) -> None:
    page = inspector.page
    page.goto(f"{inspector.server}/learn/heads")
    program = page.locator("[data-program=folded]")
    program.get_by_role("button", name="Run").click()
    expect(program.locator(".program-printed")).to_contain_text("heads are mixed: True")
    tops = program.evaluate(
        """(root) => [...root.querySelectorAll('.program-shapes li')].map((li) => {
          const area = root.querySelector('textarea');
          const inside = parseFloat(getComputedStyle(area).paddingTop);
          const top = area.getBoundingClientRect().top + inside;
          const line = Number(li.style.getPropertyValue('--line'));
          return Math.abs(li.getBoundingClientRect().top - (top + (line - 1) * 22));
        })"""
    )
    assert len(tops) > 10 and max(tops) < 2
    page.goto(f"{inspector.server}/learn/find-the-bug")
    wrong = page.locator("[data-program=vmm]")
    wrong.get_by_role("button", name="Run and check").click()
    expect(wrong.locator(".program-wrong")).to_have_text(
        "Line 5: AttributeError: module 'torch' has no attribute 'vmm'"
    )
    expect(wrong.locator(".program-editor")).to_have_attribute("data-wrong", "")


def test_a_phone_lists_what_each_line_made_below_the_program(touched: Inspector) -> None:
    page = touched.page
    page.goto(f"{touched.server}/learn/scale")
    program = page.locator("[data-program=experiment]")
    program.get_by_role("button", name="Run").click()
    first = program.locator(".program-shapes li").first
    expect(first).to_have_text("Line 3: q [4, 8, 16]")
    field, listed = program.locator("textarea").bounding_box(), first.bounding_box()
    assert field and listed and listed["y"] >= field["y"] + field["height"]
    expect(program.locator("svg")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
