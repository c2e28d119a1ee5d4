/** Pictures of a class: a row of thumbnails with one tab stop, moved through by arrow keys. */

import { type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from "react";

import { t } from "../../graph/translate";
import type { RecordingPage } from "../../store/recording";
import type { ShownClass, ShownPicture } from "../../store/recordedClasses";

/** Thumbnails shown at first, the newest: thousands would make the page slow. */
const SHOWN = 48;
const EDGE = 128;

interface Props {
  readonly page: RecordingPage;
  readonly category: ShownClass;
}

export function Pictures({ page, category }: Props): ReactElement | null {
  const [areAll, setAreAll] = useState(false);
  const [active, setActive] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const newest = [...category.pictures].reverse();
  const shown = areAll ? newest : newest.slice(0, SHOWN);
  if (shown.length === 0) return <p className="pd-dim">{t("No images yet.")}</p>;
  const current = shown.some(({ id }) => id === active) ? active : shown[0]?.id;
  const focus = (index: number): void => {
    const buttons = list.current?.querySelectorAll<HTMLButtonElement>(".pc-picture");
    const target = buttons?.[Math.max(0, Math.min(shown.length - 1, index))];
    setActive(target?.dataset["picture"] ?? null);
    target?.focus();
  };
  const remove = (picture: ShownPicture): void => {
    if (picture.stored) void page.removePicture(category.id, picture.id);
  };
  const move = (event: KeyboardEvent, index: number): void => {
    const picture = shown[index];
    if (event.key === "ArrowRight" || event.key === "ArrowDown") focus(index + 1);
    else if (event.key === "ArrowLeft" || event.key === "ArrowUp") focus(index - 1);
    else if (event.key === "Home") focus(0);
    else if (event.key === "End") focus(shown.length - 1);
    else if ((event.key === "Delete" || event.key === "Backspace") && picture) {
      focus(index + 1 < shown.length ? index + 1 : index - 1);
      remove(picture);
    } else return;
    event.preventDefault();
  };
  return (
    <>
      <ul
        className="pc-pictures"
        ref={list}
        aria-label={t("Images of {name}", { name: category.name })}
      >
        {shown.map((picture, index) => (
          <li key={picture.id} data-stored={picture.stored}>
            <button
              type="button"
              className="pc-picture"
              data-picture={picture.id}
              tabIndex={picture.id === current ? 0 : -1}
              aria-label={labelOf(picture, newest.length - index)}
              onFocus={() => setActive(picture.id)}
              onKeyDown={(event) => move(event, index)}
            >
              <Thumbnail page={page} classId={category.id} picture={picture} />
              {picture.stored && (
                <svg className="pc-check" viewBox="0 0 16 16" aria-hidden data-testid="stored">
                  <path d="M3.5 8.5l3 3 6-7" />
                </svg>
              )}
            </button>
            {picture.stored && (
              <button
                type="button"
                className="pc-delete"
                tabIndex={-1}
                aria-label={t("Delete image {number}", { number: newest.length - index })}
                onClick={() => remove(picture)}
              >
                ×
              </button>
            )}
          </li>
        ))}
      </ul>
      {newest.length > shown.length && (
        <button
          type="button"
          className="pd-button"
          data-kind="plain"
          data-size="small"
          onClick={() => setAreAll(true)}
        >
          {t("Show all {count:,}", { count: newest.length })}
        </button>
      )}
    </>
  );
}

function labelOf(picture: ShownPicture, number: number): string {
  return picture.stored
    ? t("Image {number}, stored. Delete removes it.", { number })
    : t("Image {number}, not stored yet.", { number });
}

interface ThumbnailProps {
  readonly page: RecordingPage;
  readonly classId: string;
  readonly picture: ShownPicture;
}

function Thumbnail({ page, classId, picture }: ThumbnailProps): ReactElement {
  const [address, setAddress] = useState(() => page.addressOf(picture.id));
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const element = place.current;
    if (address || !element) return;
    let isGone = false;
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      seen.disconnect();
      page.fetchAddress(classId, picture.id, EDGE).then(
        (preview) => !isGone && setAddress(preview),
        () => undefined, // removed in the meantime: the next refresh drops it
      );
    });
    seen.observe(element);
    return () => {
      isGone = true;
      seen.disconnect();
    };
  }, [page, classId, picture.id, address]);
  return (
    <span className="pc-thumbnail" ref={place}>
      {address && <img src={address} alt="" />}
    </span>
  );
}
