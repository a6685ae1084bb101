/** A phone, the widest screen with the collapsed menu, and a desktop. */
export const WIDTHS = [360, 991, 1440] as const
export const MODES = ['light', 'dark'] as const
