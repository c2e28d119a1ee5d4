"""Endpoints for pipelines as Python code: written from documents, read without running it."""

from __future__ import annotations

from pydantic import Field

from designer_app.api.endpoint import ApiEndpoint, Call
from designer_app.application import Application
from modules.json_model import JsonModel
from pipelines.document.code.read import read_code
from pipelines.document.code.scan import MAX_BYTES
from pipelines.document.code.write import to_code
from pipelines.document.document import PipelineDocument


class PythonCode(JsonModel):
    """Text of a Python file with a pipeline."""

    code: str = Field(max_length=MAX_BYTES)


@ApiEndpoint("POST", "/api/code/write", takes=PipelineDocument, errors=(422,))
def _write(application: Application, call: Call) -> PythonCode:
    """The Python code of a document, which runs the pipeline if it is executed."""
    code = to_code(call.document, application.session.catalog, as_script=True)
    return PythonCode.model_construct(code=code)


@ApiEndpoint("POST", "/api/code/read", takes=PythonCode, errors=(422,))
def _read(application: Application, call: Call) -> PipelineDocument:
    """The document of a pipeline in Python code, which is not executed."""
    request: PythonCode = call.body
    return read_code(request.code, application.session.catalog).document


ENDPOINTS = (_write, _read)
