/** Styles of the page Camera as one text. */

import base from "../../styles/base.css?inline";
import tokens from "../../styles/tokens.css?inline";
import camera from "./camera.css?inline";

export const cameraStyles = [tokens, base, camera].join("\n");
