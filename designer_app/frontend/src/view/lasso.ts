/** True if the next drag on the canvas draws a lasso. */

import { createStore } from "zustand/vanilla";

export const lassoStore = createStore(() => ({ isReady: false }));

export const selectIsLassoReady = ({ isReady }: { readonly isReady: boolean }): boolean => isReady;
