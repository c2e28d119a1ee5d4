<<<<<<<< HEAD:designer_app/editor/static/chunk-C8krmiMr.js
import{t as e}from"./chunk-CVN5n1K0.js";var t={name:`folder-open`,size:24,node:[[`path`,{d:`m6 14 1.5-2.9A2 2 0 0 1 9.24 10H20a2 2 0 0 1 1.94 2.5l-1.54 6a2 2 0 0 1-1.95 1.5H4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h3.9a2 2 0 0 1 1.69.9l.81 1.2a2 2 0 0 0 1.67.9H18a2 2 0 0 1 2 2v2`,key:`usdka0`}]]};t.node;var n=e(t);export{n as t};
========
import{t as e}from"./chunk-Bv65ONyH.js";var t={name:`folder-open`,size:24,node:[[`path`,{d:`m6 14 1.5-2.9A2 2 0 0 1 9.24 10H20a2 2 0 0 1 1.94 2.5l-1.54 6a2 2 0 0 1-1.95 1.5H4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h3.9a2 2 0 0 1 1.69.9l.81 1.2a2 2 0 0 0 1.67.9H18a2 2 0 0 1 2 2v2`,key:`usdka0`}]]};t.node;var n=e(t);export{n as t};
>>>>>>>> d14379e1 (Refused wires and missing inputs name types in words; Home says when other work takes the cores; a spinner takes eight steps a turn):designer_app/editor/static/chunk-Y_vHSfhu.js
