<<<<<<<< HEAD:designer_app/editor/static/chunk-Bohv54GF.js
import{t as e}from"./chunk-DO9lB2-L.js";var t={name:`folder-open`,size:24,node:[[`path`,{d:`m6 14 1.5-2.9A2 2 0 0 1 9.24 10H20a2 2 0 0 1 1.94 2.5l-1.54 6a2 2 0 0 1-1.95 1.5H4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h3.9a2 2 0 0 1 1.69.9l.81 1.2a2 2 0 0 0 1.67.9H18a2 2 0 0 1 2 2v2`,key:`usdka0`}]]};t.node;var n=e(t);export{n as t};
========
import{t as e}from"./chunk-BqvdKQiZ.js";var t={name:`folder-open`,size:24,node:[[`path`,{d:`m6 14 1.5-2.9A2 2 0 0 1 9.24 10H20a2 2 0 0 1 1.94 2.5l-1.54 6a2 2 0 0 1-1.95 1.5H4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h3.9a2 2 0 0 1 1.69.9l.81 1.2a2 2 0 0 0 1.67.9H18a2 2 0 0 1 2 2v2`,key:`usdka0`}]]};t.node;var n=e(t);export{n as t};
>>>>>>>> a26ffcd (What opens from a dropped file says that it is a pipeline of its own and is tidied once its canvas is there; a split's footer no longer says what its ports do):designer_app/editor/static/chunk-C6gw83oG.js
