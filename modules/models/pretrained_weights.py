"""The weights that torchvision publishes for each network: file name and size.

Listed here so that checking a pipeline needs no torch; a test compares them with
``chosen_weights``.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple, Protocol


class WeightsFile(NamedTuple):
    """A file of published weights."""

    name: str
    megabytes: int


class Starting(Protocol):
    """Parameters that choose the starting weights (``modules.models.initial_weights``)."""

    @property
    def pretrained(self) -> bool: ...
    @property
    def weights_path(self) -> str | Path | None: ...


def missing_weights(parameters: Starting, weights_dir: Path) -> WeightsFile | None:
    """Return the starting weights that are missing in the folder; None if nothing is missing."""
    if parameters.weights_path is not None or not parameters.pretrained:
        return None
    published = PUBLISHED.get(getattr(parameters, "model_name", ""))
    return None if published is None or (weights_dir / published.name).is_file() else published


PUBLISHED: dict[str, WeightsFile] = {
    "alexnet": WeightsFile("alexnet-owt-7be5be79.pth", 233),
    "convnext_base": WeightsFile("convnext_base-6075fbad.pth", 338),
    "convnext_large": WeightsFile("convnext_large-ea097f82.pth", 755),
    "convnext_small": WeightsFile("convnext_small-0c510722.pth", 192),
    "convnext_tiny": WeightsFile("convnext_tiny-983f1562.pth", 109),
    "densenet121": WeightsFile("densenet121-a639ec97.pth", 31),
    "densenet161": WeightsFile("densenet161-8d451a50.pth", 110),
    "densenet169": WeightsFile("densenet169-b2777c0a.pth", 55),
    "densenet201": WeightsFile("densenet201-c1103571.pth", 77),
    "efficientnet_b0": WeightsFile("efficientnet_b0_rwightman-7f5810bc.pth", 20),
    "efficientnet_b1": WeightsFile("efficientnet_b1-c27df63c.pth", 30),
    "efficientnet_b2": WeightsFile("efficientnet_b2_rwightman-c35c1473.pth", 35),
    "efficientnet_b3": WeightsFile("efficientnet_b3_rwightman-b3899882.pth", 47),
    "efficientnet_b4": WeightsFile("efficientnet_b4_rwightman-23ab8bcd.pth", 74),
    "efficientnet_b5": WeightsFile("efficientnet_b5_lukemelas-1a07897c.pth", 117),
    "efficientnet_b6": WeightsFile("efficientnet_b6_lukemelas-24a108a5.pth", 165),
    "efficientnet_b7": WeightsFile("efficientnet_b7_lukemelas-c5b4e57e.pth", 255),
    "efficientnet_v2_l": WeightsFile("efficientnet_v2_l-59c71312.pth", 455),
    "efficientnet_v2_m": WeightsFile("efficientnet_v2_m-dc08266a.pth", 208),
    "efficientnet_v2_s": WeightsFile("efficientnet_v2_s-dd5fe13b.pth", 83),
    "googlenet": WeightsFile("googlenet-1378be20.pth", 50),
    "inception_v3": WeightsFile("inception_v3_google-0cc3c7bd.pth", 104),
    "maxvit_t": WeightsFile("maxvit_t-bc5ab103.pth", 119),
    "mnasnet0_5": WeightsFile("mnasnet0.5_top1_67.823-3ffadce67e.pth", 9),
    "mnasnet0_75": WeightsFile("mnasnet0_75-7090bc5f.pth", 12),
    "mnasnet1_0": WeightsFile("mnasnet1.0_top1_73.512-f206786ef8.pth", 17),
    "mnasnet1_3": WeightsFile("mnasnet1_3-a4c69d6f.pth", 24),
    "mobilenet_v2": WeightsFile("mobilenet_v2-7ebf99e0.pth", 14),
    "mobilenet_v3_large": WeightsFile("mobilenet_v3_large-5c1a4163.pth", 21),
    "mobilenet_v3_small": WeightsFile("mobilenet_v3_small-047dcff4.pth", 10),
    "regnet_x_16gf": WeightsFile("regnet_x_16gf-ba3796d7.pth", 208),
    "regnet_x_1_6gf": WeightsFile("regnet_x_1_6gf-a12f2b72.pth", 35),
    "regnet_x_32gf": WeightsFile("regnet_x_32gf-6eb8fdc6.pth", 412),
    "regnet_x_3_2gf": WeightsFile("regnet_x_3_2gf-7071aa85.pth", 59),
    "regnet_x_400mf": WeightsFile("regnet_x_400mf-62229a5f.pth", 21),
    "regnet_x_800mf": WeightsFile("regnet_x_800mf-94a99ebd.pth", 28),
    "regnet_x_8gf": WeightsFile("regnet_x_8gf-2b70d774.pth", 151),
    "regnet_y_128gf": WeightsFile("regnet_y_128gf_swag-c8ce3e52.pth", 2462),
    "regnet_y_16gf": WeightsFile("regnet_y_16gf-3e4a00f9.pth", 319),
    "regnet_y_1_6gf": WeightsFile("regnet_y_1_6gf-0d7bc02a.pth", 43),
    "regnet_y_32gf": WeightsFile("regnet_y_32gf-8db6d4b5.pth", 554),
    "regnet_y_3_2gf": WeightsFile("regnet_y_3_2gf-9180c971.pth", 75),
    "regnet_y_400mf": WeightsFile("regnet_y_400mf-e6988f5f.pth", 17),
    "regnet_y_800mf": WeightsFile("regnet_y_800mf-58fc7688.pth", 25),
    "regnet_y_8gf": WeightsFile("regnet_y_8gf-dc2b1b54.pth", 151),
    "resnet101": WeightsFile("resnet101-cd907fc2.pth", 171),
    "resnet152": WeightsFile("resnet152-f82ba261.pth", 230),
    "resnet18": WeightsFile("resnet18-f37072fd.pth", 45),
    "resnet34": WeightsFile("resnet34-b627a593.pth", 83),
    "resnet50": WeightsFile("resnet50-11ad3fa6.pth", 98),
    "resnext101_32x8d": WeightsFile("resnext101_32x8d-110c445d.pth", 340),
    "resnext101_64x4d": WeightsFile("resnext101_64x4d-173b62eb.pth", 319),
    "resnext50_32x4d": WeightsFile("resnext50_32x4d-1a0047aa.pth", 96),
    "shufflenet_v2_x0_5": WeightsFile("shufflenetv2_x0.5-f707e7126e.pth", 5),
    "shufflenet_v2_x1_0": WeightsFile("shufflenetv2_x1-5666bf0f80.pth", 9),
    "shufflenet_v2_x1_5": WeightsFile("shufflenetv2_x1_5-3c479a10.pth", 14),
    "shufflenet_v2_x2_0": WeightsFile("shufflenetv2_x2_0-8be3c8ee.pth", 28),
    "squeezenet1_0": WeightsFile("squeezenet1_0-b66bff10.pth", 5),
    "squeezenet1_1": WeightsFile("squeezenet1_1-b8a52dc0.pth", 5),
    "swin_b": WeightsFile("swin_b-68c6b09e.pth", 335),
    "swin_s": WeightsFile("swin_s-5e29d889.pth", 190),
    "swin_t": WeightsFile("swin_t-704ceda3.pth", 108),
    "swin_v2_b": WeightsFile("swin_v2_b-781e5279.pth", 336),
    "swin_v2_s": WeightsFile("swin_v2_s-637d8ceb.pth", 191),
    "swin_v2_t": WeightsFile("swin_v2_t-b137f0e2.pth", 109),
    "vgg11": WeightsFile("vgg11-8a719046.pth", 507),
    "vgg11_bn": WeightsFile("vgg11_bn-6002323d.pth", 507),
    "vgg13": WeightsFile("vgg13-19584684.pth", 508),
    "vgg13_bn": WeightsFile("vgg13_bn-abd245e5.pth", 508),
    "vgg16": WeightsFile("vgg16-397923af.pth", 528),
    "vgg16_bn": WeightsFile("vgg16_bn-6c64b313.pth", 528),
    "vgg19": WeightsFile("vgg19-dcbb9e9d.pth", 548),
    "vgg19_bn": WeightsFile("vgg19_bn-c79401a0.pth", 548),
    "vit_b_16": WeightsFile("vit_b_16-c867db91.pth", 330),
    "vit_b_32": WeightsFile("vit_b_32-d86f8d99.pth", 337),
    "vit_h_14": WeightsFile("vit_h_14_lc_swag-c1eb923e.pth", 2411),
    "vit_l_16": WeightsFile("vit_l_16-852ce7e3.pth", 1161),
    "vit_l_32": WeightsFile("vit_l_32-c7638314.pth", 1169),
    "wide_resnet101_2": WeightsFile("wide_resnet101_2-d733dc28.pth", 485),
    "wide_resnet50_2": WeightsFile("wide_resnet50_2-9ba9bcbe.pth", 263),
}
