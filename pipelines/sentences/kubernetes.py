"""What is said of Kubernetes clusters."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

CLIENT_MISSING = Sentence(
    "kubernetes_client_missing",
    "The target is a Kubernetes cluster, and the package kubernetes is not installed.",
    "Install the extra kubernetes: pip install kubernetes.",
)
CONFIG_UNUSABLE = Sentence(
    "kubernetes_config_unusable",
    "The kubeconfig cannot be used: {why}.",
    "Try `kubectl config get-contexts`; the target's settings kubeconfig and context say which "
    "file and which of its contexts are meant.",
)
NOT_KUBERNETES = Sentence(
    "kubernetes_not_kubernetes",
    "What answers at {address} is not the API of Kubernetes.",
    "Correct the server in the kubeconfig, or choose another of its contexts.",
)
CERTIFICATE_UNKNOWN = Sentence(
    "kubernetes_certificate_unknown",
    "The certificate of {address} is not signed by who the kubeconfig says.",
    "Get the cluster's kubeconfig anew from who runs it.",
)
TOKEN_REFUSED = Sentence(
    "kubernetes_token_refused",
    "Kubernetes at {address} does not know who you are: the credentials of the kubeconfig are "
    "wrong or have expired.",
    "Log in to the cluster again, until `kubectl get jobs` works; then resume the run.",
)
FORBIDDEN = Sentence(
    "kubernetes_forbidden",
    "Kubernetes does not allow it: {why}.",
    "Ask who runs the cluster for the rights to create, get, list and delete jobs, to create, "
    "patch and delete services, and to list pods and events, in the namespace {namespace}.",
)
NO_NAMESPACE = Sentence(
    "kubernetes_no_namespace",
    "There is no namespace {namespace!r} in the cluster.",
    "Correct the target's setting namespace: remove the target and add it again.",
)
OVER_QUOTA = Sentence(
    "kubernetes_over_quota",
    "The namespace {namespace} has no room for the step: {why}.",
    "Wait until other jobs have ended, ask for fewer machines, or have the quota raised.",
)
REFUSES = Sentence(
    "kubernetes_refuses",
    "Kubernetes does not take the job: {why}.",
    "Correct the target's settings; `designer target show NAME --manifest` shows what it is given.",
)
AS_ROOT = Sentence(
    "kubernetes_as_root",
    "The designer runs as root, and pods do not.",
    "Run the designer as a user of your own, or name the number of one who may write in the "
    "workspace: the target's setting user.",
)
CANNOT_START = Sentence(
    "kubernetes_cannot_start",
    "A pod of the step can never start: {why}.",
    "Correct the target's settings; `designer target check NAME` tries them.",
)
NO_IMAGE = Sentence(
    "kubernetes_no_image",
    "The image {image} cannot be pulled: {why}.",
    "Correct the target's setting image, or name the registry's secret in pull_secret.",
)
NO_CLAIM = Sentence(
    "kubernetes_no_claim",
    "There is no claim {claim!r} in the namespace {namespace}.",
    "Make a PersistentVolumeClaim of that name on the folder of the workspace, or correct the "
    "target's setting claim.",
)
PYTHON_ABSENT = Sentence(
    "kubernetes_python_absent",
    "The image {image} cannot start {python}: {why}.",
    "Name a Python of the image in the target's setting python.",
)
CODE_ABSENT = Sentence(
    "kubernetes_code_absent",
    "{python} of the image {image} does not have Pipeline Designer.",
    "Install the project in the image, or name a Python that has it in the target's setting "
    "python.",
)
FOLDER_ABSENT = Sentence(
    "kubernetes_folder_absent",
    "A pod does not see the workspace in the claim {claim}, which it mounts at {folder}.",
    "The claim has to be the very folder that is at {folder} here: correct the settings "
    "claim and shared_folder.",
)
FOLDER_CLOSED = Sentence(
    "kubernetes_folder_closed",
    "A pod may not use the workspace: {why}.",
    "Give the user that pods run as the right to read and write there: the target's setting user.",
)
POD_TAKEN = Sentence(
    "kubernetes_pod_taken",
    "Kubernetes took a pod of this step away: {why}.",
    "Resume the run: it goes on from the last checkpoint. Retries in the run settings do so by "
    "themselves.",
)
TIME_LIMIT = Sentence(
    "kubernetes_time_limit",
    "Kubernetes ended the step at its time limit.",
    "Raise the time limit in the run settings, then resume the run: it goes on from the last "
    "checkpoint.",
)
# trying it

ANSWERS = Sentence("kubernetes_answers", "Kubernetes {version} answers at {address}.")
SILENT = Sentence(
    "kubernetes_silent",
    "Nobody answers at {address}: {why}.",
    "Ask whether the cluster runs and can be reached from here: `kubectl version`. Jobs that it "
    "has go on meanwhile.",
)
MAY_LIST = Sentence("kubernetes_may_list", "You may see the jobs of the namespace {namespace}.")
JOB_FAILED = Sentence(
    "kubernetes_job_failed",
    "Kubernetes ran the pods of the trial, and the job failed: {why}.",
    "Try the image and the target's setting python by hand, as `kubectl run` does: they have to "
    "run Pipeline Designer as it is here.",
)
CLAIM_THERE = Sentence(
    "kubernetes_claim_there", "The claim {claim} is there, to be mounted at {folder}."
)
CLAIM_OF_ONE = Sentence(
    "kubernetes_claim_of_one",
    "One node alone can mount the claim {claim} ({modes}).",
    "Make a claim with the access mode ReadWriteMany, or set max_nodes to 1.",
)
QUEUE_THERE = Sentence("kubernetes_queue_there", "Kueue has the queue {queue}.")
NO_KUEUE = Sentence(
    "kubernetes_no_kueue",
    "The cluster has no Kueue: jobs for the queue {queue} would wait for ever.",
    "Install Kueue, or leave the target's setting queue out.",
)
NO_QUEUE = Sentence(
    "kubernetes_no_queue",
    "There is no LocalQueue {queue!r} in the namespace {namespace}.",
    "Correct the target's setting queue: `kubectl get localqueues` lists them.",
)
