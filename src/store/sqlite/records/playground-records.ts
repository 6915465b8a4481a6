import type { Store } from '../../contract.ts'
import type { StoreCalls } from '../thread/store-threads.ts'

/** The part of the store about the playground. */
export const playgroundRecordsOf = (thread: StoreCalls): Pick<Store, 'playground'> => ({
  playground: {
    findDraft: (reader) => thread.call('findDraft', reader),
    saveDraft: (reader, content, savedAt) => thread.call('saveDraft', reader, content, savedAt),
    listPrompts: (reader) => thread.call('listPrompts', reader),
    insertPrompt: (reader, prompt) => thread.call('insertPrompt', reader, prompt),
    findPrompt: (reader, id, version) => thread.call('findPrompt', reader, id, version),
    changePrompt: (reader, id, changes, savedAt) => thread.call('changePrompt', reader, id, changes, savedAt),
    setPromptRemoved: (reader, id, at, now) => thread.call('setPromptRemoved', reader, id, at, now),
  },
})
