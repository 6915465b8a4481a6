import { useWords } from '../../words-context.tsx'

/** The filter and the table in grey, with the same heights, so that nothing moves when the keys come. */
export const KeysSkeleton = () => {
  const { shell } = useWords()
  return (
    <div role="status" aria-label={shell.loading}>
      <div className="keys-filter">
        <div className="search">
          <div className="skeleton-line bar" />
        </div>
      </div>
      <div className="skeleton-rows">
        {[0, 1, 2].map((row) => (
          <div key={row}>
            <div className="skeleton-line" />
          </div>
        ))}
      </div>
    </div>
  )
}
