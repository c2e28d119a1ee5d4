<<<<<<<< HEAD:designer_app/editor/static/chunk-B5FraTXb.js
import{t as e}from"./chunk-DO9lB2-L.js";var t={name:`image`,size:24,node:[[`rect`,{width:`18`,height:`18`,x:`3`,y:`3`,rx:`2`,ry:`2`,key:`1m3agn`}],[`circle`,{cx:`9`,cy:`9`,r:`2`,key:`af1f0g`}],[`path`,{d:`m21 15-3.086-3.086a2 2 0 0 0-2.828 0L6 21`,key:`1xmnt7`}]]};t.node;var n=e(t);export{n as t};
========
import{t as e}from"./chunk-BqvdKQiZ.js";var t={name:`image`,size:24,node:[[`rect`,{width:`18`,height:`18`,x:`3`,y:`3`,rx:`2`,ry:`2`,key:`1m3agn`}],[`circle`,{cx:`9`,cy:`9`,r:`2`,key:`af1f0g`}],[`path`,{d:`m21 15-3.086-3.086a2 2 0 0 0-2.828 0L6 21`,key:`1xmnt7`}]]};t.node;var n=e(t);export{n as t};
>>>>>>>> a26ffcd (What opens from a dropped file says that it is a pipeline of its own and is tidied once its canvas is there; a split's footer no longer says what its ports do):designer_app/editor/static/chunk-Q0FmhQCZ.js
