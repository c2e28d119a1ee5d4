/** Camera of this browser: opening it, the reason if that fails, and pictures of what it shows. */

import { t } from "../graph/translate";

/** Longest edge of recorded pictures in pixels: more than the networks see. */
export const RECORDED_EDGE = 480;
const WANTED = { width: { ideal: 640 }, height: { ideal: 480 } };
const QUALITY = 0.92;

/** Why there is no camera, with the fix. */
export class CameraError extends Error {}

/** Open a camera, by default any; throws `CameraError`. */
export async function openCamera(deviceId: string | null): Promise<MediaStream> {
  const missing = missingCamera();
  if (missing) throw new CameraError(missing);
  const device = deviceId ? { deviceId: { exact: deviceId } } : {};
  try {
    return await navigator.mediaDevices.getUserMedia({ video: { ...WANTED, ...device } });
  } catch (error) {
    throw new CameraError(reasonOf(error));
  }
}

/** Show a camera in an element of the page. */
export async function showCamera(element: HTMLVideoElement, camera: MediaStream): Promise<void> {
  element.srcObject = camera;
  await element.play();
}

/** Return why this page can have no camera at all; null if it may ask for one. */
export function missingCamera(): string | null {
  if (!isSecureContext) {
    return t("Browsers allow cameras only over https or on this machine, as localhost.");
  }
  // absent in browsers without cameras, whatever the types say
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  return devices?.getUserMedia ? null : t("This browser has no access to cameras.");
}

/** Return the text for an error of `getUserMedia`. */
export function reasonOf(error: unknown): string {
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError" || name === "SecurityError") {
    return t("The camera is not allowed. Allow it next to the address, then start it again.");
  }
  if (name === "NotFoundError" || name === "OverconstrainedError") {
    return t("No camera was found. Connect one, then start it again.");
  }
  if (name === "NotReadableError" || name === "AbortError") {
    return t("Another program uses the camera. Close it, then start the camera again.");
  }
  return t("The camera could not be started. Start it again.");
}

/** Return true if the user has allowed the camera before, so that it can start at once. */
export async function isCameraAllowed(): Promise<boolean> {
  try {
    const asked = await navigator.permissions.query({ name: "camera" as PermissionName });
    return asked.state === "granted";
  } catch {
    return false; // this browser cannot answer
  }
}

export interface CameraChoice {
  readonly id: string;
  readonly label: string;
}

/** Return the cameras; their names are known once one was allowed. */
export async function listCameras(): Promise<readonly CameraChoice[]> {
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => []);
  const cameras = devices.filter((device) => device.kind === "videoinput");
  return cameras.map(({ deviceId, label }, index) => ({
    id: deviceId,
    label: label || t("Camera {number}", { number: index + 1 }),
  }));
}

type Drawable = HTMLVideoElement | HTMLCanvasElement | HTMLImageElement;

/** Return what an element shows as a small picture; null if it shows nothing yet. */
export function pictureOf(shown: Drawable, scratch: HTMLCanvasElement): Promise<Blob | null> {
  const [width, height] = sizeOf(shown);
  if (!width || !height) return Promise.resolve(null);
  const scale = Math.min(1, RECORDED_EDGE / Math.max(width, height));
  scratch.width = Math.max(1, Math.round(width * scale));
  scratch.height = Math.max(1, Math.round(height * scale));
  const context = scratch.getContext("2d", { alpha: false });
  context?.drawImage(shown, 0, 0, scratch.width, scratch.height);
  return new Promise((resolve) => scratch.toBlob(resolve, "image/jpeg", QUALITY));
}

function sizeOf(shown: Drawable): readonly [number, number] {
  if (shown instanceof HTMLVideoElement) return [shown.videoWidth, shown.videoHeight];
  if (shown instanceof HTMLImageElement) return [shown.naturalWidth, shown.naturalHeight];
  return [shown.width, shown.height];
}
