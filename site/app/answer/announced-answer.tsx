import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { completeSentencesEnd } from './complete-sentences.ts'

/** How long the last sentence stays, so that it has been read out. */
const lastSentenceMs = 3000
/** Those before have been read out already. */
const keptSentences = 3

/**
 * Announces a growing answer to screen readers, a sentence at a time. It is not visible, and beside the page: the answer
 * stands in it once. Afterwards it is empty; an answer that was there before is not announced at all.
 */
export const AnnouncedAnswer = ({ text, isDone }: { text: string; isDone: boolean }) => {
  const [sentences, setSentences] = useState<readonly { id: number; text: string }[]>([])
  const spoken = useRef(isDone ? text.length : 0)
  const wasRunning = useRef(!isDone)
  useEffect(() => {
    if (!isDone && !wasRunning.current) {
      spoken.current = 0
      setSentences([])
    }
    if (isDone && !wasRunning.current) return
    wasRunning.current = !isDone
    const end = isDone ? text.length : completeSentencesEnd(text)
    const next = text.slice(spoken.current, end).trim()
    const id = spoken.current
    spoken.current = Math.max(spoken.current, end)
    if (next !== '') setSentences((others) => [...others, { id, text: next }].slice(-keptSentences))
  }, [text, isDone])
  useEffect(() => {
    if (!isDone || sentences.length === 0) return
    const timer = setTimeout(() => setSentences([]), lastSentenceMs)
    return () => clearTimeout(timer)
  }, [isDone, sentences.length])
  return createPortal(
    <div className="visually-hidden announced" aria-live="polite" aria-relevant="additions">
      {sentences.map((sentence) => (
        <p key={sentence.id}>{sentence.text}</p>
      ))}
    </div>,
    document.body,
  )
}
