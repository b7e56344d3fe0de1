# Reads kustomizations without kustomize, and checks manifests against the types of Kubernetes' API.
import json
import pathlib

import yaml
from report import npm_packages, run


def documents(file):
    return [document for document in yaml.safe_load_all(file.read_text()) if document]


class Kustomization:
    """The manifests, the generated names, the literals and the missing files of a kustomization and those below it."""

    def __init__(self, folder):
        self.manifests, self.generated, self.missing = [], {"ConfigMap": set(), "Secret": set()}, []
        self.literals = {}
        self._read(pathlib.Path(folder).resolve())

    def _read(self, folder):
        file = folder / "kustomization.yaml"
        if not file.exists():
            self.missing.append(str(file))
            return
        content = documents(file)[0]
        for name in content.get("resources", []) + content.get("components", []):
            path = folder / name
            if path.is_dir():
                self._read(path.resolve())
            elif path.exists():
                self.manifests += documents(path)
            else:
                self.missing.append(str(path))
        for kind in ("ConfigMap", "Secret"):
            for generator in content.get(f"{kind[0].lower()}{kind[1:]}Generator", []):
                self.generated[kind].add(generator["name"])
                self.literals |= dict(text.split("=", 1) for text in generator.get("literals", []))
                names = [name.rpartition("=")[2] for name in generator.get("files", [])]
                self.missing += [str(folder / name) for name in names if not (folder / name).exists()]
        for patch in content.get("patches", []):
            if "path" in patch and not (folder / patch["path"]).exists():
                self.missing.append(str(folder / patch["path"]))


def against_types(manifests, folder):
    """TypeScript's errors for manifests as values of Kubernetes' types: misspelt, missing and wrong fields."""
    folder.mkdir(exist_ok=True)
    modules = npm_packages()
    lines = []
    for number, manifest in enumerate(manifests):
        group, _, version = manifest["apiVersion"].rpartition("/")
        module = f"{group.partition('.')[0] or 'core'}/{version}"
        lines.append(f"import type {{ {manifest['kind']} as T{number} }} from 'kubernetes-types/{module}'; "
                     f"export const d{number}: T{number} = {json.dumps(manifest)};")
    (folder / "manifests.ts").write_text("\n".join(lines))
    # TypeScript looks for packages beside the file.
    if not (folder / "node_modules").exists():
        (folder / "node_modules").symlink_to(modules)
    options = {"noEmit": True, "strict": True, "skipLibCheck": True, "moduleResolution": "node", "types": []}
    (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "files": ["manifests.ts"]}))
    status, output = run("node", str(modules / "typescript/bin/tsc"), "--project", str(folder))
    return output if status else ""


def named(manifest):
    return f"{manifest['kind']} {manifest['metadata']['name']}"


def pods(manifests):
    """Every manifest with pods, with their labels and their specification."""
    for manifest in manifests:
        template = manifest.get("spec", {}).get("template")
        if template:
            yield manifest, template.get("metadata", {}).get("labels", {}), template["spec"]


def matches(selector, labels):
    return all(labels.get(key) == value for key, value in selector.items())


def dangling(manifests, generated, made_by_operator):
    """Names that manifests use and that do not exist."""
    have = {(m["kind"], m["metadata"]["name"]) for m in manifests}
    have |= {(kind, name) for kind, names in generated.items() for name in names}
    have |= {("Secret", name) for name in made_by_operator}
    every_pod = list(pods(manifests))
    for manifest, labels, spec in every_pod:
        who = named(manifest)
        volumes = {volume["name"] for volume in spec.get("volumes", [])}
        for volume in spec.get("volumes", []):
            for field, kind, key in (("configMap", "ConfigMap", "name"), ("secret", "Secret", "secretName")):
                if field in volume and (kind, volume[field][key]) not in have:
                    yield f"{who}: there is no {kind} {volume[field][key]}"
        for container in spec.get("initContainers", []) + spec["containers"]:
            ports = {port["name"] for port in container.get("ports", [])}
            for variable in container.get("env", []):
                reference = variable.get("valueFrom", {}).get("configMapKeyRef")
                if reference and ("ConfigMap", reference["name"]) not in have:
                    yield f"{who}: there is no ConfigMap {reference['name']}"
            for mount in container.get("volumeMounts", []):
                if mount["name"] not in volumes:
                    yield f"{who}: there is no volume {mount['name']}"
            for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
                check = container.get(probe, {})
                for how in ("httpGet", "tcpSocket"):
                    if how in check and check[how]["port"] not in ports:
                        yield f"{who}: {probe} asks for no port of the container"
    for manifest in manifests:
        who, spec = named(manifest), manifest.get("spec", {})
        if manifest["kind"] == "Service":
            chosen = [pod for _, labels, pod in every_pod if matches(spec["selector"], labels)]
            ports = {port["name"] for pod in chosen for container in pod["containers"] for port in container["ports"]}
            for port in spec["ports"]:
                if port["targetPort"] not in ports:
                    yield f"{who}: no pod has the port {port['targetPort']}"
        selector = spec.get("selector") or spec.get("podSelector") or {}
        selector = selector.get("matchLabels", {}) if isinstance(selector, dict) else {}
        if selector and not any(matches(selector, labels) for _, labels, _ in every_pod):
            yield f"{who}: no pod has the labels {selector}"
        target = spec.get("scaleTargetRef")
        if target and (target["kind"], target["name"]) not in have:
            yield f"{who}: there is no {target['kind']} {target['name']}"
