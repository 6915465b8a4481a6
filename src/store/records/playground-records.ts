import type { Store } from '../contract.ts'
import type { StoreCalls } from './store-calls.ts'

/** The part of the store about the playground. */
export const createPlaygroundRecords = (store: StoreCalls): Pick<Store, 'playground' | 'conversations'> => ({
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
  conversations: {
    listConversations: (reader, search) => store.call('listConversations', reader, search),
    findSameConversation: (reader, content) => store.call('findSameConversation', reader, content),
    insertConversation: (reader, id, content) => store.call('insertConversation', reader, id, content),
    findConversation: (reader, id) => store.call('findConversation', reader, id),
    changeConversation: (reader, id, changes) => store.call('changeConversation', reader, id, changes),
    removeConversation: (reader, id) => store.call('removeConversation', reader, id),
    pruneConversations: (now, limit) => store.call('pruneConversations', now, limit),
    listShares: (reader, conversationId) => store.call('listShares', reader, conversationId),
    insertShare: (reader, share) => store.call('insertShare', reader, share),
    findShare: (organisationId, id) => store.call('findShare', organisationId, id),
    removeShare: (reader, id) => store.call('removeShare', reader, id),
  },
})
