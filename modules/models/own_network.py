"""Networks written by users: built from their code, and checked to return one score per class.

The code runs in the process that builds the network. It comes from Create Python Model, runs only
if it was approved, and is stored with the recipe in trained models. Shape letters: N images, K
classes, C channels, H height, W width.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Any

from modules.errors import InvalidModelDirectoryError, ModuleError
from modules.models.recipe import OWN, Recipe
from modules.sentences import own_networks as say
from modules.sentences.sentence import Sentence
from modules.typed_code import loaded, told_by_place

if TYPE_CHECKING:
    import torch
    from torch import nn

CODE = "code"
"""Parameter named in errors of the code."""
CLASS_ARGUMENT = "num_classes"
_TRIED_IMAGES = 2
"""Number of images for checks: batch norm errors and wrong reshapes show with two."""
_DISTURBANCE = 0.02
"""Change of weights before scores are compared: zeros would hide the layers after them."""
_ROUNDING = 1e-4
"""Tolerance as a fraction of the largest score."""


def own_recipe(code: str, network: str | None) -> Recipe:
    """Return the recipe of a class or function in the code: the named one, else the only one.

    Raises 0085 with the line if the code fails, and 0159 if it is ambiguous.
    """
    module = _module_of(code)
    name = network.strip() if network else _only_network(module)
    if not callable(getattr(module, name, None)):
        there = sorted(_networks(module))
        raise _refused(say.NO_SUCH_NETWORK, "network", network=name[:80], there=there)
    return Recipe(family="Create Python Model", architecture=f"{OWN}{name}", code=code)


def build_own(recipe: Recipe, num_classes: int) -> nn.Module:
    """Build the network with one output for each class; raises like ``own_recipe``.

    The argument ``num_classes`` receives their number, if it exists.
    """
    from torch import nn

    code, name = str(recipe.code), recipe.shown_name
    maker: Callable[..., Any] = getattr(_module_of(code), name)
    with told_by_place(code, module_name(code), CODE):
        made = maker(**_arguments(maker, num_classes))
    if not isinstance(made, nn.Module):
        raise _refused(say.NO_NETWORK, "network", network=name, type=type(made).__name__)
    _check_parts(made, name)
    return made


def check_scores(
    recipe: Recipe, model: nn.Module, num_classes: int, height: int, width: int
) -> None:
    """Raise 0159 unless images of this size produce one score per class, (N, K).

    0085 if the network's own code fails. The model keeps its mode.
    """
    shape = _shape_of_scores(recipe, model, height, width)
    if shape == (_TRIED_IMAGES, num_classes):
        return
    facts = {"network": recipe.shown_name, "shape": str(shape), "classes": num_classes}
    facts |= {"images": _TRIED_IMAGES, "width": width, "height": height}
    raise InvalidModelDirectoryError(say.NO_SCORES.about(facts))


def check_is_kept(
    recipe: Recipe, model: nn.Module, num_classes: int, height: int, width: int
) -> None:
    """Raise 0159 unless a rebuilt network with the same tensors returns the same scores.

    Random values of ``__init__`` outside the state dict would be drawn again when the model is
    loaded. The weights of ``model`` are changed. A network with random scores is accepted.
    """
    import torch

    twin = build_own(recipe, num_classes)
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(0)
        for parameter in model.parameters():
            parameter.data += _DISTURBANCE * torch.randn_like(parameter)
        images_NCHW = torch.randn(_TRIED_IMAGES, 3, height, width).to(_device_of(model))
        is_same = _has_taken(twin, model.state_dict()) and _are_equal(
            *(_seeded_scores(recipe, network, images_NCHW) for network in (model, twin))
        )
        if not is_same and _are_equal(
            *(_seeded_scores(recipe, model, images_NCHW) for _ in range(2))
        ):
            raise _refused(say.NOT_ALL_KEPT, CODE, network=recipe.shown_name)


def _has_taken(model: nn.Module, tensors: Mapping[str, torch.Tensor]) -> bool:
    """Return False if it has tensors of other names or shapes."""
    try:
        model.load_state_dict(tensors)
    except RuntimeError:
        return False
    return True


def _seeded_scores(recipe: Recipe, model: nn.Module, images_NCHW: torch.Tensor) -> torch.Tensor:
    import torch

    torch.default_generator.manual_seed(0)
    scores: torch.Tensor = _scores(recipe, model, images_NCHW)
    return scores.float()


def _are_equal(first: torch.Tensor, second: torch.Tensor) -> bool:
    import torch

    most = float(first.abs().nan_to_num().max())
    return torch.allclose(first, second, rtol=0, atol=_ROUNDING * most, equal_nan=True)


def check_takes(recipe: Recipe, height: int, width: int) -> None:
    """Raise if the network fails on images of this size, whatever it returns."""
    _shape_of_scores(recipe, build_own(recipe, _TRIED_IMAGES), height, width)


@contextmanager
def elsewhere() -> Iterator[None]:
    """Report errors of the code without its parameter, which only Create Python Model has."""
    try:
        yield
    except ModuleError as error:
        error.parameter = None
        raise


def module_name(code: str) -> str:
    """Return the module name of the code, which tracebacks show."""
    return f"own_network_{hashlib.sha256(code.encode(errors='replace')).hexdigest()[:8]}"


def _shape_of_scores(recipe: Recipe, model: nn.Module, height: int, width: int) -> Any:
    import torch

    images_NCHW = torch.zeros(_TRIED_IMAGES, 3, height, width, device=_device_of(model))
    scores = _scores(recipe, model, images_NCHW)
    return tuple(scores.shape) if isinstance(scores, torch.Tensor) else type(scores).__name__


def _scores(recipe: Recipe, model: nn.Module, images_NCHW: torch.Tensor) -> Any:
    """Return the network's output in inference mode, or the logits in it."""
    import torch

    code, was_training = str(recipe.code), model.training
    height, width = images_NCHW.shape[2:]
    model.eval()
    try:
        with told_by_place(code, module_name(code), CODE), torch.no_grad():
            outputs: Any = model(images_NCHW)
    except ModuleError as error:
        facts = {"network": recipe.shown_name, "width": width, "height": height}
        said = say.FAILS_AT_IMAGES.about({**facts, "error": error.message.rstrip(".")})
        raise type(error)(said, parameter=CODE) from error
    finally:
        model.train(was_training)
    scores = getattr(outputs, "logits", outputs)
    return scores if isinstance(scores, torch.Tensor) else outputs


def _device_of(model: nn.Module) -> torch.device:
    return next(model.parameters()).device


def _module_of(code: str) -> ModuleType:
    return loaded(code, module_name(code), CODE)


def _networks(module: ModuleType) -> Mapping[str, Any]:
    """Return the network classes that the code itself defines."""
    from torch import nn

    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, type)
        and issubclass(value, nn.Module)
        and value.__module__ == module.__name__
    }


def _only_network(module: ModuleType) -> str:
    """Return the only class, or the only one that accepts the number of classes: blocks do not."""
    there = _networks(module)
    takers = [name for name, network in there.items() if CLASS_ARGUMENT in _names(network)]
    fitting = list(there) if len(there) == 1 else takers
    if len(fitting) == 1:
        return fitting[0]
    if not there:
        raise _refused(say.NO_CLASS, CODE)
    raise _refused(say.WHICH_NETWORK, "network", there=sorted(there))


def _arguments(maker: Callable[..., Any], num_classes: int) -> dict[str, int]:
    return {CLASS_ARGUMENT: num_classes} if CLASS_ARGUMENT in _names(maker) else {}


def _names(maker: Callable[..., Any]) -> set[str]:
    try:
        return set(inspect.signature(maker).parameters)
    except (TypeError, ValueError):  # for example of a C extension
        return set()


def _check_parts(model: nn.Module, name: str) -> None:
    """Raise for parts that cannot be trained, or saved and loaded as tensors."""
    import torch
    from torch.nn.parameter import is_lazy

    if any(is_lazy(parameter) for parameter in (*model.parameters(), *model.buffers())):
        raise _refused(say.LAZY_LAYERS, CODE, network=name)
    if not any(parameter.requires_grad for parameter in model.parameters()):
        raise _refused(say.NOTHING_TO_TRAIN, CODE, network=name)
    others = [key for key, value in model.state_dict().items() if not torch.is_tensor(value)]
    if others:
        raise _refused(say.MORE_THAN_TENSORS, CODE, network=name, names=others)


def _refused(sentence: Sentence, parameter: str, **facts: Any) -> InvalidModelDirectoryError:
    return InvalidModelDirectoryError(sentence, parameter=parameter, **facts)
