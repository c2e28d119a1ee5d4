/** Last message of the page, and Undo for the action that it reports. */

import type { ReactElement } from "react";
import { useStore } from "zustand";

import { t } from "../../graph/translate";
import type { RecordingPage } from "../../store/recording";

export function NoticeBar({ page }: { readonly page: RecordingPage }): ReactElement {
  const notice = useStore(page.store, (state) => state.notice);
  return (
    <div
      className="pc-notice"
      role={notice?.isError ? "alert" : "status"}
      data-kind={notice?.isError ? "error" : "info"}
      data-testid="camera-notice"
      hidden={!notice}
    >
      <span>{notice?.text}</span>
      {notice?.undo && (
        <button
          type="button"
          className="pd-button"
          data-size="small"
          onClick={() => void page.undo()}
        >
          {t("Undo")}
        </button>
      )}
      {notice && (
        <button
          type="button"
          className="pd-button"
          data-kind="plain"
          data-size="small"
          onClick={() => page.dismiss()}
        >
          {t("Close")}
        </button>
      )}
    </div>
  );
}
