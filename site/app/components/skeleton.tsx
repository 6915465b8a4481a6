import { useWords } from '../words-context.tsx'

const widths = ['w-3/4', 'w-7/12', 'w-2/3', 'w-1/2', 'w-8/12']

/** Lines in the shape of what comes. They show after a moment, so that what is quick does not flicker. */
export const Skeleton = ({ lines = 3, className = 'grid gap-5' }: { lines?: number; className?: string }) => {
  const { shell } = useWords()
  return (
    <div className={className} role="status" aria-label={shell.loading}>
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have nothing but their place
        <div key={index} className={`bone ${widths[index % widths.length]}`} />
      ))}
    </div>
  )
}
