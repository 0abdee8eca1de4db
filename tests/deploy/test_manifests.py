"""The files in deploy/, checked against the schemas of the tools that read them, and this server.

KubeRay's own schema is in no package. Of a RayService, each pod is held against Kubernetes'
schema, the Serve part against Ray's, and the rest against the names that KubeRay documents.
"""

import re
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml
from check_jsonschema.builtin_schemas import get_builtin_schema
from jsonschema import Draft202012Validator

from server.http.metrics import Metrics
from server.settings import Settings

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
KUBERNETES, RAY = ROOT / "deploy/kubernetes.yaml", ROOT / "deploy/rayservice.yaml"
COMPOSE = [ROOT / "compose.yaml", ROOT / "deploy/compose.cluster.yaml"]
VERSIONS = ["1.30", "1.33", "1.37"]  # the oldest that people still run, to the newest known here

# https://ray-project.github.io/kuberay/reference/api/: those that are used here.
SERVICE_FIELDS = {"serveConfigV2", "rayClusterConfig"}
CLUSTER_FIELDS = {"enableInTreeAutoscaling", "authOptions", "headGroupSpec", "workerGroupSpecs"}
GROUP_FIELDS = {
    "groupName": str,
    "replicas": int,
    "minReplicas": int,
    "maxReplicas": int,
    "rayStartParams": dict,
    "template": dict,
}


def _documents(path: Path) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(path.read_text()))


def _ray_groups() -> list[dict[str, Any]]:
    cluster = _documents(RAY)[0]["spec"]["rayClusterConfig"]
    return [cluster["headGroupSpec"], *cluster["workerGroupSpecs"]]


def _pods() -> list[dict[str, Any]]:
    """The specification of every pod in deploy/."""
    deployment = next(d for d in _documents(KUBERNETES) if d["kind"] == "Deployment")
    templates = [deployment["spec"]["template"], *(group["template"] for group in _ray_groups())]
    return [template["spec"] for template in templates]


def _as_pod(spec: dict[str, Any]) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x"}, "spec": spec}


def _environment(container: dict[str, Any]) -> dict[str, str]:
    return {entry["name"]: entry["value"] for entry in container.get("env", [])}


@pytest.mark.parametrize("version", VERSIONS)
def test_every_kubernetes_object_fits_its_schema(version: str) -> None:
    objects = _documents(KUBERNETES)
    kinds = [thing["kind"] for thing in objects]
    assert kinds == ["Deployment", "Service", "PodDisruptionBudget", "HorizontalPodAutoscaler"]
    for thing in [*objects, *map(_as_pod, _pods())]:
        kubernetes_validate.validate(thing, version, strict=True)


@pytest.mark.parametrize("change", ["unknown", "type", "missing"])
def test_the_schema_notices_a_mistake(change: str) -> None:
    pod = _as_pod(_pods()[0])
    container = pod["spec"]["containers"][0]
    match change:
        case "unknown":
            container["readOnly"] = True
        case "type":
            container["resources"]["limits"]["memory"] = ["2Gi"]
        case _:
            del container["name"]
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(pod, VERSIONS[-1], strict=True)


@pytest.mark.parametrize("path", COMPOSE, ids=lambda path: path.name)
def test_every_compose_file_fits_its_schema(path: Path) -> None:
    validator = Draft202012Validator(get_builtin_schema("vendor.compose-spec"))
    document = yaml.safe_load(path.read_text())
    assert list(validator.iter_errors(document)) == []
    next(iter(document["services"].values()))["read_onyl"] = True
    assert list(validator.iter_errors(document)) != []


def test_a_rayservice_fits_what_kuberay_documents() -> None:
    (service,) = _documents(RAY)
    assert (service["apiVersion"], service["kind"]) == ("ray.io/v1", "RayService")
    assert set(service["spec"]) <= SERVICE_FIELDS
    assert set(service["spec"]["rayClusterConfig"]) <= CLUSTER_FIELDS
    head, *workers = _ray_groups()
    assert set(head) <= {"rayStartParams", "template"}
    for group in workers:
        assert set(group) == set(GROUP_FIELDS)
        assert all(isinstance(group[name], kind) for name, kind in GROUP_FIELDS.items())
        assert group["minReplicas"] <= group["replicas"] <= group["maxReplicas"]
    for group in (head, *workers):  # they end up on a command line
        assert all(isinstance(value, str) for value in group["rayStartParams"].values())


def test_ray_serve_takes_the_service_and_this_server_its_settings() -> None:
    schema = pytest.importorskip("ray.serve.schema", reason="the extra `cluster` is not installed")
    from ray._common.utils import import_attr

    config = yaml.safe_load(_documents(RAY)[0]["spec"]["serveConfigV2"])
    (application,) = schema.ServeDeploySchema.model_validate(config).applications
    build = import_attr(application.import_path)
    assert build(application.args) is not None
    ports = [
        port["containerPort"]
        for group in _ray_groups()
        for port in group["template"]["spec"]["containers"][0]["ports"]
        if port["name"] == "serve"
    ]
    assert set(ports) == {config["http_options"]["port"]}
    with pytest.raises(ValueError, match="cluster_min_replica"):
        build({"cluster_min_replica": 2})


def test_every_pod_is_shut_in() -> None:
    """The same restrictions as in compose.yaml."""
    assert len(_pods()) == 4
    for pod in _pods():
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["runAsUser"] == 10001
        for container in pod["containers"]:
            within = container["securityContext"]
            assert within["readOnlyRootFilesystem"] is True
            assert within["allowPrivilegeEscalation"] is False
            assert within["capabilities"] == {"drop": ["ALL"]}
            assert container["resources"]["limits"]["memory"]
            assert {"livenessProbe", "readinessProbe"} <= set(container)
            written = {mount["mountPath"]: mount["name"] for mount in container["volumeMounts"]}
            volumes = {volume["name"]: volume for volume in pod["volumes"]}
            assert "emptyDir" in volumes[written["/tmp"]]


def test_what_it_names_exists() -> None:
    """Settings, the autoscaler's metric, the routes of the probes, the proxy's middleware."""
    for path in (KUBERNETES, RAY, *COMPOSE):
        for name in re.findall(r"HEADLIGHT_(\w+)", path.read_text()):
            assert name.lower() in Settings.model_fields, f"{path.name}: {name}"
    scaler = _documents(KUBERNETES)[-1]["spec"]
    metric = scaler["metrics"][0]["pods"]["metric"]["name"]
    assert f"\n{metric} ".encode() in Metrics().exposition()
    for group in _ray_groups():
        environment = _environment(group["template"]["spec"]["containers"][0])
        assert environment["RAY_USAGE_STATS_ENABLED"] == "0"
        module, _, name = environment["RAY_SERVE_HTTP_PROXY_CALLBACK_IMPORT_PATH"].rpartition(".")
        assert hasattr(__import__(module, fromlist=[name]), name)


def test_the_autoscaler_the_service_and_the_budget_are_about_the_same_pods() -> None:
    deployment, service, budget, scaler = (thing["spec"] for thing in _documents(KUBERNETES))
    labels = deployment["template"]["metadata"]["labels"]
    assert service["selector"] == labels == budget["selector"]["matchLabels"]
    assert scaler["scaleTargetRef"]["name"] == _documents(KUBERNETES)[0]["metadata"]["name"]
    assert scaler["minReplicas"] > budget["maxUnavailable"], "one stays while one is moved"
    ports = {port["name"] for port in deployment["template"]["spec"]["containers"][0]["ports"]}
    assert {port["targetPort"] for port in service["ports"]} <= ports


def test_a_pod_has_time_to_drain() -> None:
    grace_s = _pods()[0]["terminationGracePeriodSeconds"]
    pause_s = int(_pods()[0]["containers"][0]["lifecycle"]["preStop"]["exec"]["command"][1])
    assert grace_s > pause_s + Settings().shutdown_timeout_s
