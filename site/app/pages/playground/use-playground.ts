import { useSyncExternalStore } from 'react'
import { type PlaygroundState, readPlayground, subscribePlayground } from './playground-store.ts'

export const usePlayground = (): PlaygroundState => useSyncExternalStore(subscribePlayground, readPlayground)
