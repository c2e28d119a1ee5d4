<<<<<<<< HEAD:designer_app/editor/static/chunk-CrgOuNFO.js
import{t as e}from"./chunk-CVN5n1K0.js";var t={name:`search`,size:24,node:[[`path`,{d:`m21 21-4.34-4.34`,key:`14j7rj`}],[`circle`,{cx:`11`,cy:`11`,r:`8`,key:`4ej97u`}]]};t.node;var n=e(t);export{n as t};
========
import{t as e}from"./chunk-Bv65ONyH.js";var t={name:`search`,size:24,node:[[`path`,{d:`m21 21-4.34-4.34`,key:`14j7rj`}],[`circle`,{cx:`11`,cy:`11`,r:`8`,key:`4ej97u`}]]};t.node;var n=e(t);export{n as t};
>>>>>>>> d14379e1 (Refused wires and missing inputs name types in words; Home says when other work takes the cores; a spinner takes eight steps a turn):designer_app/editor/static/chunk-BohrT7JW.js
