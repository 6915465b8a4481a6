/** Forms are small. */
export const bodyLimitBytes = 65_536
