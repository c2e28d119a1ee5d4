"""Messages about Kubernetes clusters."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

CLIENT_MISSING = Sentence(
    "The target is a Kubernetes cluster, but the package kubernetes is not installed.",
    "Install it: `pip install kubernetes`.",
)
CONFIG_UNUSABLE = Sentence(
    "The kubeconfig cannot be used: {why}.",
    "Run `kubectl config get-contexts`, then correct the target's settings kubeconfig and context.",
)
NOT_KUBERNETES = Sentence(
    "The server at {address} is not a Kubernetes API server.",
    "Correct the server in the kubeconfig or choose another context.",
)
CERTIFICATE_UNKNOWN = Sentence(
    "The certificate of {address} is not signed by the authority in the kubeconfig.",
    "Ask the cluster's operator for a new kubeconfig.",
)
TOKEN_REFUSED = Sentence(
    "Kubernetes at {address} rejected the credentials in the kubeconfig: they are wrong or "
    "have expired.",
    "Sign in to the cluster again until `kubectl get jobs` works, then resume the run.",
)
FORBIDDEN = Sentence(
    "Kubernetes denied permission: {why}.",
    "Ask the cluster's operator for permissions in the namespace {namespace}: create, get, "
    "list and delete jobs. You also need to create, patch and delete services, and to list "
    "pods and events.",
)
NO_NAMESPACE = Sentence(
    "Namespace {namespace!r} not found in the cluster.",
    "To correct the target's setting namespace, remove the target and add it again.",
)
OVER_QUOTA = Sentence(
    "The quota of namespace {namespace} does not allow the step: {why}.",
    "Wait for other jobs to end, request fewer machines, or have the quota raised.",
)
REFUSES = Sentence(
    "Kubernetes rejected the job: {why}.",
    "Correct the target's settings. `designer target show NAME --manifest` shows the manifest.",
)
AS_ROOT = Sentence(
    "The designer runs as root, but pods do not.",
    "Run the designer as another user, or set the target's setting user to one that can "
    "write to the workspace.",
)
CANNOT_START = Sentence(
    "A pod of the step cannot start: {why}.",
    "Correct the target's settings, then test them with `designer target check NAME`.",
)
NO_IMAGE = Sentence(
    "Cannot pull the image {image}: {why}.",
    "Correct the target's setting image, or set pull_secret to the registry's secret.",
)
NO_CLAIM = Sentence(
    "Persistent volume claim {claim!r} not found in the namespace {namespace}.",
    "Create a PersistentVolumeClaim with this name for the workspace's folder, or correct "
    "the target's setting claim.",
)
PYTHON_ABSENT = Sentence(
    "The image {image} cannot start {python}: {why}.",
    "Set the target's setting python to a Python in the image.",
)
CODE_ABSENT = Sentence(
    "Pipeline Designer is not installed for {python} in the image {image}.",
    "Install it in the image, or set the target's setting python to a Python that has it.",
)
FOLDER_ABSENT = Sentence(
    "The workspace is missing from the claim {claim}, which pods mount at {folder}.",
    "The claim must contain the same folder as {folder} on this machine. Correct the "
    "settings claim and shared_folder.",
)
FOLDER_CLOSED = Sentence(
    "A pod cannot access the workspace: {why}.",
    "Allow the user of the pods (the target's setting user) to read and write the workspace.",
)
POD_TAKEN = Sentence(
    "Kubernetes removed a pod of this step: {why}.",
    "Resume the run to continue from the last checkpoint. Retries in the run settings do "
    "this automatically.",
)
TIME_LIMIT = Sentence(
    "Kubernetes ended the step at its time limit.",
    "Raise the time limit in the run settings. Then resume the run to continue from the "
    "last checkpoint.",
)
# target check

ANSWERS = Sentence("Kubernetes {version} responds at {address}.")
SILENT = Sentence(
    "No response from {address}: {why}.",
    "Check with `kubectl version` that the cluster is running and reachable. Running jobs "
    "continue.",
)
MAY_LIST = Sentence("You can list the jobs in namespace {namespace}.")
JOB_FAILED = Sentence(
    "Kubernetes started the test pods, but the job failed: {why}.",
    "Test the image and the target's setting python with `kubectl run`. They must run this "
    "version of Pipeline Designer.",
)
CLAIM_THERE = Sentence("The claim {claim} exists and will be mounted at {folder}.")
CLAIM_OF_ONE = Sentence(
    "Only one node can mount the claim {claim} ({modes}).",
    "Create a claim with the access mode ReadWriteMany, or set max_nodes to 1.",
)
QUEUE_THERE = Sentence("Kueue has the queue {queue}.")
NO_KUEUE = Sentence(
    "Kueue is not installed in the cluster, so jobs for the queue {queue} would wait forever.",
    "Install Kueue or remove the target's setting queue.",
)
NO_QUEUE = Sentence(
    "LocalQueue {queue!r} not found in the namespace {namespace}.",
    "Run `kubectl get localqueues`, then correct the target's setting queue.",
)

name_sentences(globals(), prefix="kubernetes_")
