"""Namespace of a Kubernetes cluster, accessed by the official client.

Only this module imports the client, on first use. Responses are treated as plain JSON, since
clusters are older or newer than the client.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from pipelines.errors import RefusedError
from pipelines.sentences import kubernetes as say
from pipelines.targets.engine import AccessRefusedError, EngineSilentError
from pipelines.targets.kubernetes.settings import KubernetesSettings

KubernetesObject = dict[str, Any]
"""Object of the Kubernetes API, or a part of one."""
RESPONSE_TIMEOUT_SECONDS = 20.0
BAD_REQUEST, UNAUTHORIZED, FORBIDDEN, NOT_FOUND = 400, 401, 403, 404
CONFLICT, TOO_MANY, BROKEN = 409, 429, 500
ANONYMOUS = '"system:anonymous"'
"""Kubernetes' name for a caller without credentials: the kubeconfig's command for them failed."""
MERGE = "application/merge-patch+json"
DEFAULT_CONFIG = "~/.kube/config"


class KubernetesApi:
    """Jobs, their pods and the other objects of a step.

    Every call raises ``EngineSilentError`` if the cluster does not respond, ``AccessRefusedError``
    if it rejects the credentials, and ``RefusedError`` for other rejections.
    """

    def __init__(self, settings: KubernetesSettings) -> None:
        self._settings = settings
        self._namespace = settings.namespace
        self._client: Any = None

    @property
    def address(self) -> str:
        """Return the address of the cluster."""
        return str(self._connected().configuration.host)

    def version(self) -> str:
        """Return the version of the cluster."""
        answer = self._ask("VersionApi", "get_code")
        if "gitVersion" not in answer:
            raise RefusedError(say.NOT_KUBERNETES, address=self.address)
        return str(answer["gitVersion"])

    def create(self, job: KubernetesObject, service: KubernetesObject) -> None:
        """Create a job and its service; an existing one of that name is taken as the same.

        The service is created first, since pods need it from the start. Then the job becomes its
        owner and deletes it.
        """
        name, core = job["metadata"]["name"], "CoreV1Api"
        namespace = self._namespace
        self._ask(core, "create_namespaced_service", namespace, service, but=CONFLICT)
        try:
            created = self._ask("BatchV1Api", "create_namespaced_job", namespace, job, but=CONFLICT)
        except RefusedError:
            self._ask(core, "delete_namespaced_service", name, namespace, but=NOT_FOUND)
            raise
        current = self.job(name) if created is None else created
        owner = {"apiVersion": "batch/v1", "kind": "Job", "name": name}
        owned = {"ownerReferences": [{**owner, "uid": table(current, "metadata").get("uid")}]}
        words = (core, "patch_namespaced_service", name, namespace, {"metadata": owned})
        self._ask(*words, _content_type=MERGE)

    def delete(self, name: str) -> None:
        """Delete a job with its pods and service; no effect if there is none."""
        words = {"propagation_policy": "Background"}
        self._ask(
            *("BatchV1Api", "delete_namespaced_job", name, self._namespace), but=NOT_FOUND, **words
        )

    def job(self, name: str) -> KubernetesObject | None:
        """Return the job of that name."""
        call = "read_namespaced_job"
        job: KubernetesObject | None
        job = self._ask("BatchV1Api", call, name, self._namespace, but=NOT_FOUND)
        return job

    def jobs(self, labels: str) -> list[KubernetesObject]:
        """Return the jobs with these labels."""
        return self._list("BatchV1Api", "list_namespaced_job", label_selector=labels)

    def pods(self, labels: str) -> list[KubernetesObject]:
        """Return the pods with these labels."""
        return self._list("CoreV1Api", "list_namespaced_pod", label_selector=labels)

    def why_no_pods(self, name: str) -> str:
        """Return why a job's pods are not created, in Kubernetes' words; empty if unknown."""
        chosen = f"involvedObject.name={name},reason=FailedCreate"
        events = self._list("CoreV1Api", "list_namespaced_event", field_selector=chosen)
        return next(
            (str(event["message"]) for event in reversed(events) if event.get("message")), ""
        )

    def claim_modes(self, name: str) -> list[str] | None:
        """Return the access modes of a claim; None if it does not exist."""
        call = "read_namespaced_persistent_volume_claim"
        claim = self._ask("CoreV1Api", call, name, self._namespace, but=NOT_FOUND)
        modes = table(claim, "spec").get("accessModes")
        return None if claim is None else [*map(str, modes if isinstance(modes, list) else ())]

    def kueue_version(self) -> str | None:
        """Return the API version of Kueue; None if it is not installed."""
        for group in rows(self._ask("ApisApi", "get_api_versions"), "groups"):
            if group.get("name") == "kueue.x-k8s.io":
                return str(table(group, "preferredVersion").get("version"))
        return None

    def has_queue(self, name: str, version: str) -> bool:
        """Return whether a LocalQueue of that name exists."""
        resource = ("kueue.x-k8s.io", version, self._namespace, "localqueues", name)
        call = "get_namespaced_custom_object"
        return self._ask("CustomObjectsApi", call, *resource, but=NOT_FOUND) is not None

    # the client

    def _list(self, api: str, call: str, **options: Any) -> list[KubernetesObject]:
        return rows(self._ask(api, call, self._namespace, **options), "items")

    def _ask(self, api: str, call: str, *words: Any, but: int = 0, **options: str) -> Any:
        """Return the response; None for the status ``but``."""
        is_new = self._client is None
        try:
            return self._answer(api, call, *words, but=but, **options)
        except AccessRefusedError:
            if is_new or self._client is not None:
                raise
            # The credentials read earlier have expired; the kubeconfig may have new ones.
            return self._answer(api, call, *words, but=but, **options)

    def _answer(self, api: str, call: str, *words: Any, but: int, **options: str) -> Any:
        connected = self._connected()
        from kubernetes import client
        from urllib3.exceptions import HTTPError, SSLError

        limits = {"_preload_content": False, "_request_timeout": RESPONSE_TIMEOUT_SECONDS}
        try:
            answer = getattr(getattr(client, api)(connected), call)(*words, **options, **limits)
            return self._parsed(answer.data)
        except client.ApiException as error:
            if error.status == but:
                return None
            raise self._refusal(error.status, _words_of(error.body)) from None
        except HTTPError as error:
            if isinstance(error, SSLError):
                raise AccessRefusedError(say.CERTIFICATE_UNKNOWN, address=self.address) from None
            raise EngineSilentError(_short(str(error).rpartition(": ")[2])) from None
        except ValueError as error:  # the client has validated it before it was sent
            raise RefusedError(say.REFUSES, why=_short(" ".join(str(error).split()))) from None

    def _parsed(self, content: bytes) -> KubernetesObject:
        try:
            answer = json.loads(content)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise RefusedError(say.NOT_KUBERNETES, address=self.address)
        return answer

    def _refusal(self, status: int, why: str) -> Exception:
        if status >= BROKEN or status == TOO_MANY:
            return EngineSilentError(why)
        facts = {"why": why, "namespace": self._namespace, "address": self.address}
        if status == UNAUTHORIZED or ANONYMOUS in why:
            # the kubeconfig is read again: the user may have signed in meanwhile
            self._client = None
            return AccessRefusedError(say.TOKEN_REFUSED, **facts)
        if status == FORBIDDEN and "exceeded quota" in why:
            return RefusedError(say.OVER_QUOTA, **facts)
        if status == FORBIDDEN:
            return AccessRefusedError(say.FORBIDDEN, **facts)
        if status == NOT_FOUND and why.startswith("namespaces "):
            return RefusedError(say.NO_NAMESPACE, **facts)
        if status == NOT_FOUND or status < BAD_REQUEST:
            return RefusedError(say.NOT_KUBERNETES, **facts)
        return RefusedError(say.REFUSES, **facts)

    def _connected(self) -> Any:
        if self._client is None:
            self._client = _client_of(self._settings)
        return self._client


def _client_of(settings: KubernetesSettings) -> Any:
    """Return a client for the kubeconfig; inside a pod, for that pod's account."""
    try:
        from kubernetes import client
        from kubernetes import config as untyped
    except ModuleNotFoundError:
        raise RefusedError(say.CLIENT_MISSING) from None
    config: Any = untyped
    configuration = client.Configuration()
    configuration.retries = False  # requests are repeated anyway; redirects are not followed
    try:
        if settings.kubeconfig is None and _is_a_pod():
            config.load_incluster_config(client_configuration=configuration)
        else:
            config.load_kube_config(
                config_file=settings.kubeconfig,
                context=settings.context,
                client_configuration=configuration,
                persist_config=False,
            )
    except config.ConfigException as error:
        why = str(error).partition("{")[0]  # the rest quotes the file, which may contain a secret
        raise AccessRefusedError(say.CONFIG_UNUSABLE, why=_short(why)) from None
    except Exception:  # any problem with the file: errors quote it with its secrets
        raise AccessRefusedError(say.CONFIG_UNUSABLE, why="it is not a kubeconfig") from None
    return client.ApiClient(configuration)


def _is_a_pod() -> bool:
    named = os.environ.get("KUBECONFIG") or Path(DEFAULT_CONFIG).expanduser().exists()
    return not named and "KUBERNETES_SERVICE_HOST" in os.environ


def _words_of(body: Any) -> str:
    """Return the message of a rejection."""
    try:
        message = json.loads(body)["message"]
    except (ValueError, TypeError, KeyError):
        message = ""
    return _short(str(message)) or "no reason given"


def _short(text: str) -> str:
    return text.strip()[:400].rstrip(".")


def table(value: Any, *path: str) -> KubernetesObject:
    """Return the table at a path of a response; empty if there is none."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def rows(value: Any, *path: str) -> list[KubernetesObject]:
    """Return the list at a path."""
    *above, name = path
    listed = table(value, *above).get(name)
    return [row for row in listed if isinstance(row, dict)] if isinstance(listed, list) else []
