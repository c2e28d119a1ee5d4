"""The checksum of TensorBoard's event files: CRC-32C (RFC 3720, appendix B.4), masked."""

from __future__ import annotations

POLYNOMIAL = 0x82F63B78
MASK = 0xA282EAD8


def _entry(byte: int) -> int:
    for _ in range(8):
        byte = byte >> 1 ^ (POLYNOMIAL if byte & 1 else 0)
    return byte


_TABLE = tuple(_entry(byte) for byte in range(256))


def crc32c(data: bytes) -> int:
    """Return the checksum; about 15 MB/s."""
    crc, table = 0xFFFFFFFF, _TABLE
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


def masked_crc32c(data: bytes) -> int:
    """Return the masked checksum of TFRecord files."""
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + MASK) & 0xFFFFFFFF
