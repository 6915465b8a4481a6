import { useEffect, useRef, useState } from 'react'
import { completeSentencesEnd } from './complete-sentences.ts'

/** Announces a growing answer to screen readers, a sentence at a time. It is not visible. */
export const AnnouncedAnswer = ({ text, isDone }: { text: string; isDone: boolean }) => {
  const [sentences, setSentences] = useState<readonly string[]>([])
  const spoken = useRef(0)
  useEffect(() => {
    if (text === '') {
      spoken.current = 0
      setSentences((others) => (others.length === 0 ? others : []))
      return
    }
    const end = isDone ? text.length : completeSentencesEnd(text)
    const next = text.slice(spoken.current, end).trim()
    spoken.current = Math.max(spoken.current, end)
    if (next !== '') setSentences((others) => [...others, next])
  }, [text, isDone])
  return (
    <div className="visually-hidden" aria-live="polite" aria-relevant="additions">
      {sentences.map((sentence, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: sentences are only ever added
        <p key={index}>{sentence}</p>
      ))}
    </div>
  )
}
