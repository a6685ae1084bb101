/**
 * Which modules travel together. Left alone, the bundler makes a file of every module that two
 * screens share: the dashboard came in eighty files, and a phone asks for six at a time.
 * Each part takes what its modules import, unless a part before it has that already.
 */
export const parts = [
  { name: 'react', tags: ['$initial' as const], test: /node_modules.*js$|rolldown\/runtime/ },
  { name: 'index', tags: ['$initial' as const] },
  { name: 'kit', test: /src\/(app\/kit\/Kit|features\/site\/auth\/(Login|Signup))\.tsx$/ },
  {
    name: 'member',
    test: /src\/(app\/member\/MemberShell|features\/member\/dashboard\/Dashboard|lib\/strings\/member)\.tsx?$/,
  },
  { name: 'lists', test: /src\/components\/table\/ReportScreen\.tsx$/ },
].map((part, index, all) => ({ ...part, priority: all.length - index }))
