/** Player that the panels of a replay show and control. */

import { createContext, useContext } from "react";
import { useStore } from "zustand";

import type { ReplayPlayer, PlayerState } from "../../store/replayPlayer";

export const PlayerContext = createContext<ReplayPlayer | null>(null);

export function usePlayer(): ReplayPlayer {
  const player = useContext(PlayerContext);
  if (!player) throw new Error("Render this inside <PlayerContext value=...>.");
  return player;
}

export function usePlayerState<Value>(selector: (state: PlayerState) => Value): Value {
  return useStore(usePlayer().store, selector);
}

export const selectTime = (state: PlayerState): number => state.time;
export const selectPlaying = (state: PlayerState): boolean => state.playing;
export const selectSpeed = (state: PlayerState): PlayerState["speed"] => state.speed;
