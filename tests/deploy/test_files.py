"""What lies in deploy/ is what it says: it parses, names what exists, and gives the bot no more than it needs."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tgavalon.bot.metrics import Metrics
from tgavalon.settings import CONFIG_VARIABLE, VARIABLES

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
KNOWN = {name for names in VARIABLES.values() for name in names} | {CONFIG_VARIABLE}
OF_COMPOSE = {"TGAVALON_VERSION"}
GRACE = 25.0
"""Seconds that a worker takes to stop at most: updates 10 s, screens 5 s, calls on their way 3 s, and some."""


def documents(name: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all((DEPLOY / name).read_text("utf-8")))


def texts() -> Iterator[tuple[Path, str]]:
    for path in sorted(DEPLOY.rglob("*")):
        if path.is_file():
            yield path, path.read_text("utf-8")


def test_every_yaml_file_parses() -> None:
    found = sorted(DEPLOY.rglob("*.yaml"))
    assert len(found) >= 5
    for path in found:
        assert all(isinstance(each, dict) for each in yaml.safe_load_all(path.read_text("utf-8"))), path


def test_every_variable_exists() -> None:
    for path, text in texts():
        assert set(re.findall(r"\bTGAVALON_\w+", text)) <= KNOWN | OF_COMPOSE, path


def test_no_secret_lies_there() -> None:
    for path, text in texts():
        assert not re.search(r"[0-9]{6,}:[A-Za-z0-9_-]{20,}", text), path


# The Dockerfile, by a parser as small as it is simple.


def instructions() -> list[tuple[str, str]]:
    lines = (DEPLOY / "Dockerfile").read_text("utf-8").replace("\\\n", " ").splitlines()
    split = [line.partition(" ") for line in lines if line.strip() and not line.startswith("#")]
    return [(word.upper(), rest.strip()) for word, _, rest in split]


def stages() -> list[list[tuple[str, str]]]:
    found: list[list[tuple[str, str]]] = []
    for word, rest in instructions():
        if word == "FROM":
            found.append([])
        found[-1].append((word, rest))
    return found


def test_the_image_has_two_stages_and_runs_as_nobody() -> None:
    build, final = stages()
    assert {word for word, _ in instructions()} <= {
        *("FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "VOLUME", "EXPOSE", "STOPSIGNAL", "ENTRYPOINT", "CMD")
    }
    assert build[0][1].endswith("AS build")
    assert all(re.search(r":[\w.-]*slim", stage[0][1]) for stage in (build, final))
    [user] = [rest for word, rest in final if word == "USER"]
    assert int(user) > 0
    assert final.index(("USER", user)) > max(i for i, (word, _) in enumerate(final) if word in ("RUN", "COPY"))
    assert not any("pip" in rest or "apt" in rest for word, rest in final if word == "RUN")


def test_what_the_image_copies_exists_and_is_let_through() -> None:
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    for word, rest in stages()[0]:
        if word == "COPY":
            for source in shlex.split(rest)[:-1]:
                assert (ROOT / source).exists(), source
                assert f"!{source}" in ignored, source


def test_the_command_of_the_image_is_one_of_ours() -> None:
    final = dict(stages()[1])
    assert json.loads(final["ENTRYPOINT"]) == ["tgavalon"]
    assert json.loads(final["CMD"]) == ["run"]
    assert final["STOPSIGNAL"] == "SIGTERM"


# Compose.


def compose() -> dict[str, Any]:
    [found] = documents("compose.yaml")
    return found


def test_compose_has_a_proxy_two_workers_a_store_and_eyes() -> None:
    services = compose()["services"]
    assert {"proxy", "worker-1", "worker-2", "valkey", "prometheus", "grafana"} <= set(services)
    worker = services["worker-1"]
    assert worker == services["worker-2"]
    assert worker["read_only"] is True
    assert worker["cap_drop"] == ["ALL"]
    assert "ports" not in worker, "only the proxy is reachable"
    assert float(worker["stop_grace_period"].removesuffix("s")) >= GRACE
    assert (ROOT / "deploy" / worker["build"]["context"] / worker["build"]["dockerfile"]).is_file()
    command = services["valkey"]["command"]
    assert command[command.index("--appendonly") + 1] == "yes"
    assert command[command.index("--maxmemory-policy") + 1] == "noeviction"


def test_compose_mounts_what_is_there() -> None:
    found = compose()
    named = {volume.split(":")[0] for service in found["services"].values() for volume in service.get("volumes", ())}
    for source in named:
        assert (DEPLOY / source).exists() if source.startswith(".") else source in found["volumes"], source


def test_compose_variables_are_in_the_example() -> None:
    example = (DEPLOY / "env.example").read_text("utf-8")
    for name in re.findall(r"\$\{(\w+)", (DEPLOY / "compose.yaml").read_text("utf-8")):
        assert f"\n{name}=" in f"\n{example}", name


def test_the_ports_fit_together() -> None:
    environment = compose()["services"]["worker-1"]["environment"]
    [scrape] = documents("prometheus/prometheus.yaml")[0]["scrape_configs"]
    admin = environment["TGAVALON_ADMIN"].rpartition(":")[2]
    assert [target.rpartition(":")[2] for target in scrape["static_configs"][0]["targets"]] == [admin] * 2
    listen = environment["TGAVALON_LISTEN"].rpartition(":")[2]
    assert f"worker-1:{listen} worker-2:{listen}" in (DEPLOY / "Caddyfile").read_text("utf-8")
    path = "/" + environment["TGAVALON_WEBHOOK"].rpartition("/")[2]
    for proxy in ("Caddyfile", "nginx.conf"):
        assert path in (DEPLOY / proxy).read_text("utf-8")


# Kubernetes.


def manifests() -> dict[str, dict[str, Any]]:
    return {each["kind"]: each for each in documents("kubernetes/tgavalon.yaml")}


def test_the_pods_are_probed_and_bounded() -> None:
    found = manifests()
    assert {"Deployment", "Service", "Ingress", "PodDisruptionBudget", "ConfigMap"} <= set(found)
    assert all(each["apiVersion"] and each["metadata"]["name"] for each in found.values())
    spec = found["Deployment"]["spec"]
    assert spec["replicas"] >= 2
    pod = spec["template"]["spec"]
    assert pod["terminationGracePeriodSeconds"] >= GRACE + 5
    assert pod["securityContext"]["runAsNonRoot"] is True
    [container] = pod["containers"]
    assert container["securityContext"]["readOnlyRootFilesystem"] is True
    probes = {name: container[name]["httpGet"] for name in ("startupProbe", "livenessProbe", "readinessProbe")}
    assert [probe["path"] for probe in probes.values()] == ["/healthz", "/healthz", "/readyz"]
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    assert all(probe["port"] in ports for probe in probes.values())
    settings = found["ConfigMap"]["data"]
    assert settings["TGAVALON_LISTEN"].endswith(f":{ports['webhook']}")
    assert settings["TGAVALON_ADMIN"].endswith(f":{ports['admin']}")


def test_the_labels_lead_to_the_pods() -> None:
    found = manifests()
    labels = found["Deployment"]["spec"]["template"]["metadata"]["labels"]
    assert found["Deployment"]["spec"]["selector"]["matchLabels"] == labels
    assert found["Service"]["spec"]["selector"] == labels
    assert found["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"] == labels
    assert found["PodDisruptionBudget"]["spec"]["minAvailable"] < found["Deployment"]["spec"]["replicas"]


# systemd.


def test_the_unit_is_hardened() -> None:
    lines = (DEPLOY / "tgavalon.service").read_text("utf-8").splitlines()
    told = {tuple(line.split("=", 1)) for line in lines if "=" in line and not line.startswith("#")}
    for wanted in (
        *("DynamicUser=yes", "NoNewPrivileges=yes", "ProtectSystem=strict", "ProtectHome=yes", "PrivateDevices=yes"),
        *("CapabilityBoundingSet=", "Restart=always"),
    ):
        assert tuple(wanted.split("=", 1)) in told, wanted
    [stop] = [value for name, value in told if name == "TimeoutStopSec"]
    assert float(stop) >= GRACE


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("no systemd-analyze on the PATH")
    unit = tmp_path / "tgavalon.service"
    program = "/opt/tgavalon/bin/tgavalon"
    unit.write_text((DEPLOY / "tgavalon.service").read_text("utf-8").replace(program, "/bin/true"))
    verify = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    ours = [line for line in verify.stderr.splitlines() if "tgavalon" in line]
    assert (verify.returncode, ours) == (0, [])


# Grafana.


def test_the_dashboard_asks_for_metrics_that_exist() -> None:
    board = json.loads((DEPLOY / "grafana/tgavalon.json").read_text("utf-8"))
    expressions = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    asked = {name for each in expressions for name in re.findall(r"\b(tgavalon_\w+|process_\w+)", each)}
    metrics = Metrics()
    for name in ("painter_backlog", "tables_behind"):
        metrics.gauge(name, "as the bot adds it", lambda: 0.0)
    there = {sample.name for family in metrics.registry.collect() for sample in family.samples}
    families = {family.name for family in metrics.registry.collect()}
    endings = re.compile(r"_(bucket|sum|count|total)$")
    assert {name for name in asked if name not in there and endings.sub("", name) not in families} == set()
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"]) >= 8
    [source] = documents("grafana/provisioning/datasources/prometheus.yaml")[0]["datasources"]
    assert {panel["datasource"]["uid"] for panel in board["panels"]} == {source["uid"]}
