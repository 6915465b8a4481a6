/** How full a limit is. The figures beside it say the same, so it is hidden from screen readers. */
export const UsageBar = ({ share }: { share: number | null }) => {
  if (share === null) return null
  const state = share >= 1 ? 'exceeded' : share >= 0.8 ? 'near' : 'calm'
  return (
    <svg className={`usage-bar ${state}`} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect className="whole" width="100" height="6" />
      {share === 0 ? null : <rect className="part" width={Math.max(1, share * 100)} height="6" />}
    </svg>
  )
}
