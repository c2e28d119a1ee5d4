"""One battery over every built-in module: what a module owes the palette, the pane and the docs."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from pydantic import ValidationError

from modules.catalog import BUILTIN_MODULES, builtin_catalog
from modules.catalog_spec import module_spec
from modules.spec import Module
from tests.json_values import as_json

TRANSFORMATION = "Computer Vision/Image Data Transformation"
CLASSIFICATION = "Computer Vision/Image Classification"
SCORING = "Model Scoring & Evaluation"
NETWORK = ("untrained_model:UntrainedModel",)

REFERENCE: dict[str, tuple[str, str, tuple[str, ...], tuple[str, ...]]] = {
    "web_service_input": ("Web Service Input", "Web Service", (), ("dataset:AnyDirectory",)),
    "web_service_output": (
        "Web Service Output",
        "Web Service",
        ("scored_dataset:ScoredImages",),
        ("predictions:Table",),
    ),
    "import_images": ("Import Images", "Data Input", (), ("dataset:AnyDirectory",)),
    "convert_to_image_directory": (
        "Convert to Image Directory",
        TRANSFORMATION,
        ("input_dataset:AnyDirectory",),
        ("output_image_directory:ImageDirectory",),
    ),
    "split_image_directory": (
        "Split Image Directory",
        TRANSFORMATION,
        ("input_image_directory:ImageDirectory",),
        ("output_image_directory1:ImageDirectory", "output_image_directory2:ImageDirectory"),
    ),
    "align_classes": (
        "Align Classes",
        TRANSFORMATION,
        ("input_image_directory1:ImageDirectory", "input_image_directory2:ImageDirectory"),
        ("output_image_directory1:ImageDirectory", "output_image_directory2:ImageDirectory"),
    ),
    "init_image_transformation": (
        "Init Image Transformation",
        TRANSFORMATION,
        (),
        ("output_image_transformation:ImageTransformation",),
    ),
    "apply_image_transformation": (
        "Apply Image Transformation",
        TRANSFORMATION,
        ("input_image_transformation:ImageTransformation", "input_image_directory:ImageDirectory"),
        ("output_image_directory:ImageDirectory",),
    ),
    "densenet": ("DenseNet", CLASSIFICATION, (), NETWORK),
    "resnet": ("ResNet", CLASSIFICATION, (), NETWORK),
    "image_model": ("Image Model", CLASSIFICATION, (), NETWORK),
    "train_pytorch_model": (
        "Train PyTorch Model",
        "Model Training",
        (
            "untrained_model:UntrainedModel",
            "training_dataset:ImageDirectory",
            "validation_dataset:ImageDirectory",
        ),
        ("trained_model:TrainedModel",),
    ),
    "tune_model_hyperparameters": (
        "Tune Model Hyperparameters",
        "Model Training",
        (
            "untrained_model:UntrainedModel",
            "training_dataset:ImageDirectory",
            "validation_dataset:ImageDirectory",
        ),
        ("trained_model:TrainedModel", "sweep_results:Table"),
    ),
    "run_training_script": (
        "Run Training Script",
        "Python",
        (
            "images:ImageDirectory?",
            "more_images:ImageDirectory?",
            "model:Model?",
            "folder:AnyDirectory?",
        ),
        ("outputs:AnyDirectory", "model:ForeignModel", "metrics:Table"),
    ),
    "registered_model": (
        "Registered Model",
        "Model Training",
        (),
        ("trained_model:TrainedModel",),
    ),
    "score_image_model": (
        "Score Image Model",
        SCORING,
        ("trained_model:ScorableModel", "dataset:ImageDirectory"),
        ("scored_dataset:ScoredImages",),
    ),
    "evaluate_model": (
        "Evaluate Model",
        SCORING,
        ("scored_dataset:ScoredImages", "scored_dataset_to_compare:ScoredImages?"),
        ("evaluation_results:EvaluationResults",),
    ),
    "confidence_threshold": (
        "Confidence Threshold",
        SCORING,
        ("trained_model:TrainedModel", "scored_dataset:ScoredImages"),
        ("trained_model:TrainedModel",),
    ),
    "export_model": (
        "Export Model",
        SCORING,
        ("trained_model:TrainedModel", "images:ImageDirectory?"),
        ("exported_model:ExportedModel",),
    ),
    "onnx_model": ("ONNX Model", SCORING, (), ("onnx_model:OnnxModel",)),
    "execute_python_script": (
        "Execute Python Script",
        "Python",
        (
            "images1:ImageDirectory?",
            "images2:ImageDirectory?",
            "table1:Table?",
            "table2:Table?",
            "model:Model?",
        ),
        ("images:ImageDirectory", "table:Table", "model:ForeignModel"),
    ),
    "create_python_model": ("Create Python Model", "Python", (), NETWORK),
    "make_trained_model": (
        "Make Trained Model",
        "Python",
        ("untrained_model:UntrainedModel", "model:ForeignModel", "images:ImageDirectory"),
        ("trained_model:TrainedModel",),
    ),
}
"""Title, category, inputs and outputs of the module reference; ``?`` marks an optional input."""

DEFAULTS: dict[str, dict[str, Any]] = {
    "split_image_directory": {
        "fraction_of_images_in_the_first_output": 0.9,
        "random_seed": 42,
        "stratified": True,
        "keep_duplicates_together": True,
    },
    "init_image_transformation": {
        "resize": True,
        "size": 256,
        "center_crop": True,
        "crop_size": 224,
        "pad": False,
        "color_jitter": False,
        "grayscale": False,
        "random_resized_crop": False,
        "random_horizontal_flip": True,
    },
    "densenet": {"model_name": "densenet201", "pretrained": True, "memory_efficient": False},
    "resnet": {
        "model_name": "resnext101_32x8d",
        "pretrained": True,
        "zero_init_residual": False,
    },
    "confidence_threshold": {"wrong_answers": "2 %"},
    "export_model": {"format": "onnx", "batch": False},
    "run_training_script": {
        "arguments": [],
        "command": None,
        "model_file": "outputs/model.pt",
        "declared_outputs": [],
        "network": "allowed",
    },
    "train_pytorch_model": {
        "epochs": 5,
        "batch_size": 16,
        "warmup_step_number": 0,
        "learning_rate": 0.001,
        "random_seed": 1,
        "patience": 3,
        "print_frequency": 10,
    },
}
HEAVY = ("torch", "torchvision", "pandas", "pyarrow", "sklearn", "scipy", "PIL")


@pytest.fixture(params=sorted(REFERENCE))
def module(request: pytest.FixtureRequest) -> Module:
    """Each built-in module."""
    found = builtin_catalog().get(request.param)
    assert found is not None
    return found


def test_the_catalog_holds_exactly_the_modules_of_the_reference() -> None:
    assert {module.id for module in builtin_catalog().modules} == set(REFERENCE)


def test_titles_categories_and_ports_are_those_of_the_reference(module: Module) -> None:
    title, category, inputs, outputs = REFERENCE[module.id]
    assert (module.title, module.category) == (title, category)
    assert tuple(_port(port) for port in as_json(module_spec(module))["inputs"]) == inputs
    assert tuple(_port(port) for port in as_json(module_spec(module))["outputs"]) == outputs


@pytest.mark.parametrize("module_id", sorted(DEFAULTS))
def test_defaults_are_those_of_the_reference(module_id: str) -> None:
    found = builtin_catalog().get(module_id)
    assert found is not None
    defaults = {each["id"]: each["default"] for each in as_json(module_spec(found))["parameters"]}
    assert DEFAULTS[module_id].items() <= defaults.items()


def test_the_specification_is_json(module: Module) -> None:
    specification = as_json(module_spec(module))
    assert json.loads(json.dumps(specification, allow_nan=False)) == specification


def test_everything_is_explained(module: Module) -> None:
    specification = as_json(module_spec(module))
    sentences = [specification["summary"], *(each["help"] for each in specification["parameters"])]
    sentences += [each["description"] for each in specification["inputs"]]
    sentences += [each["description"] for each in specification["outputs"]]
    assert [each for each in sentences if not each.strip().endswith((".", "?", ")"))] == []
    assert specification["description"]
    assert all(each["title"] for each in specification["parameters"])


def test_defaults_are_valid_and_only_what_is_unset_raises_a_finding(module: Module) -> None:
    fields = module.parameters_type.model_fields
    defaults = module.parameters_type()
    text = defaults.model_dump_json()
    assert module.parameters_type.model_validate_json(text) == defaults
    findings = module.check(defaults) if module.check else ()
    unset = {name for name in fields if getattr(defaults, name) is None}
    assert [each for each in findings if each.parameter not in unset] == []


def test_bounds_refuse(module: Module) -> None:
    for parameter in as_json(module_spec(module))["parameters"]:
        for value in _outside(parameter):
            assert _is_refused(module, parameter["id"], value), (parameter["id"], value)


def test_wrong_types_and_unknown_names_are_refused(module: Module) -> None:
    assert _is_refused(module, "no_such_parameter", 1)
    for parameter in as_json(module_spec(module))["parameters"]:
        assert _is_refused(module, parameter["id"], {"an": "object"})
        if parameter["choices"]:
            assert _is_refused(module, parameter["id"], "no such choice")
        if not parameter["nullable"]:
            assert _is_refused(module, parameter["id"], None)


def test_shown_when_names_a_value_the_other_parameter_can_have(module: Module) -> None:
    parameters = {each["id"]: each for each in as_json(module_spec(module))["parameters"]}
    for parameter in parameters.values():
        for condition in parameter["shown_when"]:
            other = parameters[condition["parameter"]]
            choices = other["choices"] or [True, False]
            assert set(condition["values"]) <= set(choices), parameter["id"]


def test_importing_and_describing_modules_loads_nothing_heavy() -> None:
    program = (
        "import json, sys\n"
        "from modules.catalog import BUILTIN_MODULES, _import\n"
        "from modules.catalog_spec import module_spec\n"
        "for name in BUILTIN_MODULES:\n"
        "    module_spec(_import(name))\n"
        f"    print(name, *sorted(set({HEAVY!r}) & set(sys.modules)))"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert result.stdout.split("\n") == [*BUILTIN_MODULES, ""]


def _port(port: dict[str, Any]) -> str:
    return f"{port['id']}:{port['type']}{'?' if port['optional'] else ''}"


def _outside(parameter: dict[str, Any]) -> list[Any]:
    """Values just beyond each bound of a parameter."""
    step = 1 if parameter["type"] == "integer" else 1e-9
    values = [
        (parameter["minimum"], -step),
        (parameter["maximum"], step),
        (parameter["exclusive_minimum"], 0),
        (parameter["exclusive_maximum"], 0),
    ]
    outside = [bound + beyond * max(1, abs(bound)) for bound, beyond in values if bound is not None]
    if parameter["max_length"] is not None:
        outside.append("x" * (parameter["max_length"] + 1))
    return outside


def _is_refused(module: Module, name: str, value: Any) -> bool:
    try:
        module.parameters_type.model_validate_json(json.dumps({name: value}))
    except ValidationError as error:
        return any(detail["loc"][:1] == (name,) for detail in error.errors())
    return False
