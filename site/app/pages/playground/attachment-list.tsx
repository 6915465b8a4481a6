import { AudioLines, FileText, ImageOff, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { IconButton } from '../../components/icon-button.tsx'
import { bytesText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'
import type { Attachment } from './attachments.ts'
import '../../../styles/attachments.css'

type AttachmentListProps = {
  attachments: readonly Attachment[]
  /** Absent: they were sent. */
  onRemove?: (index: number) => void
}

/** Files of a message: a small picture or an icon, name and size. */
export const AttachmentList = ({ attachments, onRemove }: AttachmentListProps) => {
  const { words, language } = useLocale()
  const { attachments: said } = words.playground
  return (
    <ul className="attachments" aria-label={said.label}>
      {attachments.map((attachment, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two files may be the same
        <li key={index}>
          <Preview attachment={attachment} />
          <span className="name">
            {attachment.name}
            <span className="subtext">
              {attachment.kind !== 'text' && attachment.data === null
                ? said.notKept
                : bytesText(
                    attachment.kind === 'text' ? new TextEncoder().encode(attachment.text).length : attachment.bytes,
                    language,
                  )}
              {attachment.kind !== 'text' && attachment.isReduced ? ` · ${said.reduced}` : null}
            </span>
          </span>
          {onRemove === undefined ? null : (
            <IconButton label={said.remove(attachment.name)} onClick={() => onRemove(index)}>
              <X size={16} strokeWidth={1.5} aria-hidden />
            </IconButton>
          )}
        </li>
      ))}
    </ul>
  )
}

const Preview = ({ attachment }: { attachment: Attachment }) => {
  if (attachment.kind === 'text') return <FileText size={18} strokeWidth={1.5} aria-hidden />
  if (attachment.data === null) return <ImageOff size={18} strokeWidth={1.5} aria-hidden />
  if (attachment.kind === 'audio') return <AudioLines size={18} strokeWidth={1.5} aria-hidden />
  return <Thumbnail data={attachment.data} type={attachment.type} />
}

const side = 40

/** Drawn, not linked: pages may show images of this server only. */
const Thumbnail = ({ data, type }: { data: string; type: string }) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    let isOver = false
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
    createImageBitmap(new Blob([bytes], { type })).then(
      (image) => {
        const context = isOver ? null : canvas.current?.getContext('2d')
        const scale = Math.max(side / image.width, side / image.height)
        const [width, height] = [image.width * scale, image.height * scale]
        context?.drawImage(image, (side - width) / 2, (side - height) / 2, width, height)
        image.close()
      },
      () => {},
    )
    return () => {
      isOver = true
    }
  }, [data, type])
  return <canvas ref={canvas} width={side} height={side} aria-hidden />
}
