/** Styles of the page Camera as one text. */

import base from "../../styles/base.css?inline";
import tokens from "../../styles/tokens.css?inline";
import camera from "./camera.css?inline";
import liveAnswer from "./liveAnswer.css?inline";
import navigation from "./navigation.css?inline";
import recording from "./recording.css?inline";

export const cameraStyles = [tokens, base, camera, navigation, recording, liveAnswer].join("\n");
