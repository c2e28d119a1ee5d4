"""Sentences about an exported file that was compared with scoring."""

from __future__ import annotations

from designer_app.viewers.onnx_model import agreement_text, bf16_text
from modules.export.agreement import AgreementData


def test_both_comparisons_say_how_many_of_how_many_and_by_how_much() -> None:
    agreement: AgreementData = {
        "compared_with": "fp32",
        "equal_labels": 12,
        "label_agreement": 1.0,
        "largest_difference": 0.000001,
        "images": 12,
        "images_from": "validation images",
    }
    assert agreement_text(agreement).startswith("12 of 12 labels agree")
    assert bf16_text(agreement) is None
    rounded: AgreementData = {
        **agreement,
        "in_bf16": {
            "compared_with": "bf16",
            "equal_labels": 11,
            "label_agreement": 11 / 12,
            "largest_difference": 0.05,
        },
    }
    text = bf16_text(rounded)
    assert text is not None
    assert "11 of 12 labels agree with the scores in bf16" in text
    assert text.endswith("differ by at most 0.05.")
