"""Command ``designer serve``: a registered model behind HTTP."""

from __future__ import annotations

import os
import socket
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from designer_app.translation import _
from pipelines.cli.output import WorkspaceOption, reported_errors

if TYPE_CHECKING:
    from designer_app.serving.settings import EndpointSettings


def serve(
    model: Annotated[
        str, typer.Argument(help="NAME@VERSION, or NAME@ALIAS or NAME, which follow the registry.")
    ],
    workspace: WorkspaceOption = None,
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="By default 8600; 0 is any free port."),
    ] = None,
    key: Annotated[
        list[str] | None,
        typer.Option(help="Key that callers must send, besides stored ones. At most twice."),
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="Name of the endpoint. Default: the model's name.")
    ] = None,
    golden: Annotated[
        Path | None,
        typer.Option(
            help="Folder of known images, one folder for each class. A new version must be right "
            "on as many of them as the current one."
        ),
    ] = None,
    host: Annotated[
        str,
        typer.Option(help="Address to listen on. Others than this machine's need a key and TLS."),
    ] = "127.0.0.1",
    certificate: Annotated[Path | None, typer.Option(help="TLS certificate in PEM form.")] = None,
    private_key: Annotated[
        Path | None, typer.Option(help="Private key of the certificate.")
    ] = None,
) -> None:
    """Serve a model over HTTP until Ctrl+C: POST an image to /score.

    An alias that moves to another version is followed without a failed request.
    """
    from designer_app.serving import sentences
    from designer_app.serving.settings import DEFAULT_PORT, EndpointSettings
    from pipelines.errors import RefusedError
    from pipelines.registry.caller_keys import check_chosen_key, digest_of
    from pipelines.workspace import Workspace

    parent = os.environ.get("DESIGNER_ENDPOINT_PARENT")
    if parent is not None:  # set by the keeper of deployed endpoints
        from modules.operating_system.parent_death import die_with_parent

        die_with_parent(int(parent))
    with reported_errors():
        keys = key or []
        if len(keys) > 2:
            raise RefusedError(sentences.TWO_KEYS)
        for text in keys:
            check_chosen_key(text)
        settings = EndpointSettings(
            Workspace.at(workspace).make(),
            model,
            name or model.partition("@")[0],
            host=host,
            port=DEFAULT_PORT if port is None else port,
            key_digests=tuple(map(digest_of, keys)),
            golden=golden,
            is_deployed=parent is not None,
            certificate=certificate,
            private_key=private_key,
        )
        _serve(settings)


def _serve(settings: EndpointSettings) -> None:
    from designer_app.serving.server import listen_at

    listening = listen_at(settings.host, settings.port)
    try:
        settings = replace(settings, port=listening.getsockname()[1])
        if settings.is_deployed:
            from designer_app.serving.worker import serve_with_spare

            serve_with_spare(settings, listening, _run)
        else:
            _run(settings, listening)
    finally:
        listening.close()


def _run(settings: EndpointSettings, listening: socket.socket) -> None:
    from designer_app.serving.server import EndpointServer, require_safe

    server = EndpointServer(settings)
    require_safe(settings, has_stored_key=bool(server.gate.stored_digests))
    _announce(settings, needs_key=server.gate.needs_key)
    server.run(listening)


def _announce(settings: EndpointSettings, *, needs_key: bool) -> None:
    """Print the address and an example."""
    header = "-H 'Authorization: Bearer KEY' " if needs_key else ""
    typer.echo(_("Endpoint {name}: {address}", name=settings.name, address=settings.address))
    typer.echo(f"  curl {header}--data-binary @image.jpg -H 'Content-Type: image/jpeg' \\")
    typer.echo(f"    {settings.address}/score")
    if not needs_key:
        typer.echo(
            _(
                "  Every program on this machine may call it. To prevent that, create a key: "
                "`designer endpoints rotate {name} 1`.",
                name=settings.name,
            )
        )
