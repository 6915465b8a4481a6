import type { Store } from '../contract.ts'
import type { StoreCalls } from './store-calls.ts'

/** The part of the store about the playground. */
export const createPlaygroundRecords = (store: StoreCalls): Pick<Store, 'playground'> => ({
  playground: {
    findDraft: (reader) => store.call('findDraft', reader),
    saveDraft: (reader, content, savedAt) => store.call('saveDraft', reader, content, savedAt),
    listPrompts: (reader) => store.call('listPrompts', reader),
    insertPrompt: (reader, prompt) => store.call('insertPrompt', reader, prompt),
    findPrompt: (reader, id, version) => store.call('findPrompt', reader, id, version),
    changePrompt: (reader, id, changes, savedAt) => store.call('changePrompt', reader, id, changes, savedAt),
    setPromptRemoved: (reader, id, at) => store.call('setPromptRemoved', reader, id, at),
    prunePrompts: (removedBefore, limit) => store.call('prunePrompts', removedBefore, limit),
  },
})
