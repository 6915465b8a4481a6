import { useWords } from '../words-context.tsx'

/** Placeholder lines while something loads. They appear after a moment, so that fast responses do not flicker. */
export const Skeleton = ({ lines = 3, className = '' }: { lines?: number; className?: string }) => {
  const { shell } = useWords()
  return (
    <div className={`skeleton ${className}`} role="status" aria-label={shell.loading}>
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have nothing but their place
        <div key={index} className="skeleton-line" />
      ))}
    </div>
  )
}
