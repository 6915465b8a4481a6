import { type ClipboardEvent, useState } from 'react'
import { useWarnBeforeUnload } from '../../components/use-warn-before-unload.ts'
import { type Attachment, maxAttachments } from './attachments.ts'
import type { AttachmentProblem } from './read-attachment.ts'
import type { Turn } from './turns.ts'
import { useDroppedFiles } from './use-dropped-files.ts'
import { usePlayground, usePlaygroundParts } from './use-playground.ts'

export type RefusedFile = { name: string; problem: AttachmentProblem | 'too_many' }

/** Takes files that are chosen, pasted, or dropped anywhere on the page. Returns those that could not be taken. */
export const useAttaching = () => {
  const { store } = usePlaygroundParts()
  const { turns, attachments } = usePlayground()
  const [refused, setRefused] = useState<readonly RefusedFile[]>([])
  useWarnBeforeUnload(wouldBeLost(turns, attachments))
  const attach = async (files: readonly File[]): Promise<void> => {
    const { readAttachment } = await import('./read-attachment.ts')
    const problems: RefusedFile[] = []
    for (const file of files.slice(0, 4 * maxAttachments)) {
      const read = await readAttachment(file)
      const { attachments: now } = store.read()
      if (typeof read === 'string') problems.push({ name: file.name, problem: read })
      else if (now.length >= maxAttachments) problems.push({ name: file.name, problem: 'too_many' })
      else store.change({ attachments: [...now, read] })
    }
    setRefused(problems)
  }
  const isDraggedOver = useDroppedFiles((files) => void attach(files))
  return {
    refused,
    isDraggedOver,
    forgetRefused: () => setRefused([]),
    attach,
    paste(event: ClipboardEvent): void {
      const files = [...event.clipboardData.files]
      // A copied cell of a table is text and a picture of it: the text is meant.
      if (files.length === 0 || event.clipboardData.types.includes('text/plain')) return
      event.preventDefault()
      void attach(files)
    },
    remove(index: number): void {
      store.change({ attachments: store.read().attachments.toSpliced(index, 1) })
      setRefused([])
    },
  }
}

/** What a reload would lose: images and audio of the conversation, and all that waits to be sent. */
const wouldBeLost = (turns: readonly Turn[], attachments: readonly Attachment[]): boolean =>
  attachments.length > 0 || turns.some((turn) => turn.kind === 'sent' && hasMedia(turn.attachments))

const hasMedia = (attachments: readonly Attachment[] = []): boolean =>
  attachments.some((each) => each.kind !== 'text' && each.data !== null)
