/** The most common words of English, the most common first. */
export const COMMON_WORDS: readonly string[] = `
  of and to in the a is that was he for it with as his on be at by i this had not are but from or
  have an they which one you were all her she there would their we him been has when who will no
  more if out so up said what its about than into them can only other time new some could these
  two may first then do any like my now over such our man me even most made after also well did
  many before must years back through much where your way down should because long each just
  state those people too world mr how little work good make very year still see own men day under
  last might here get old life never us both being same great between another being while house
  against place part again right small without went around few used day came come during since
  number off found three himself high war always took fact water far left something night less
  nothing given until better rather things upon enough looked head`
  .trim()
  .split(/\s+/)
  .filter((word, rank, words) => words.indexOf(word) === rank);
