// The characters that names of glyphs stand for (Adobe Glyph List): Latin, Greek, Cyrillic, punctuation, mathematics, signs.
// Letters with accents are put together from their names.

/** Character, by the name of its glyph; hexadecimal. */
const LIST = `
.notdef:0 controlNULL:0 controlSTX:1 controlSOT:2 controlETX:3 controlEOT:4 controlENQ:5 controlACK:6 controlBEL:7
controlBS:8 controlHT:9 controlLF:a controlVT:b controlFF:c controlCR:d controlSO:e controlSI:f controlDLE:10
controlDC1:11 controlDC2:12 controlDC3:13 controlDC4:14 controlNAK:15 controlSYN:16 controlETB:17 controlCAN:18
controlEM:19 controlSUB:1a controlESC:1b controlFS:1c controlGS:1d controlRS:1e controlUS:1f space:20 spacehackarabic:20
exclam:21 quotedbl:22 numbersign:23 dollar:24 percent:25 ampersand:26 quotesingle:27 parenleft:28 parenright:29
asterisk:2a plus:2b comma:2c hyphen:2d period:2e slash:2f zero:30 one:31 two:32 three:33 four:34 five:35 six:36 seven:37
eight:38 nine:39 colon:3a semicolon:3b less:3c equal:3d greater:3e question:3f at:40 bracketleft:5b backslash:5c
bracketright:5d asciicircum:5e underscore:5f grave:60 braceleft:7b bar:7c verticalbar:7c braceright:7d asciitilde:7e
controlDEL:7f nbspace:a0 nonbreakingspace:a0 exclamdown:a1 cent:a2 sterling:a3 currency:a4 yen:a5 brokenbar:a6
section:a7 dieresis:a8 circlecopyrt:a9 copyright:a9 ordfeminine:aa guillemotleft:ab logicalnot:ac sfthyphen:ad
softhyphen:ad registered:ae circleR:ae macron:af overscore:af degree:b0 plusminus:b1 twosuperior:b2 threesuperior:b3
acute:b4 mu:b5 mu1:b5 paragraph:b6 middot:b7 periodcentered:b7 cedilla:b8 onesuperior:b9 ordmasculine:ba
guillemotright:bb onequarter:bc onehalf:bd threequarters:be questiondown:bf AE:c6 Eth:d0 multiply:d7 Oslash:d8 Thorn:de
germandbls:df ae:e6 eth:f0 divide:f7 oslash:f8 thorn:fe Dcroat:110 Dslash:110 dcroat:111 dmacron:111 Gcommaaccent:122
gcommaaccent:123 Hbar:126 hbar:127 dotlessi:131 IJ:132 ij:133 Kcommaaccent:136 kcommaaccent:137 kgreenlandic:138
Lcommaaccent:13b lcommaaccent:13c Ldot:13f Ldotaccent:13f ldot:140 ldotaccent:140 Lslash:141 lslash:142 Ncommaaccent:145
ncommaaccent:146 napostrophe:149 quoterightn:149 Eng:14a eng:14b OE:152 oe:153 Rcommaaccent:156 rcommaaccent:157
Tcommaaccent:162 tcommaaccent:163 Tbar:166 tbar:167 longs:17f slong:17f bstroke:180 Bhook:181 Btopbar:182 btopbar:183
Tonesix:184 tonesix:185 Oopen:186 Chook:187 chook:188 Dafrican:189 Dhook:18a Dtopbar:18b dtopbar:18c deltaturned:18d
Ereversed:18e Schwa:18f Eopen:190 Fhook:191 florin:192 Ghook:193 Gammaafrican:194 hv:195 Iotaafrican:196 Istroke:197
Khook:198 khook:199 lbar:19a lambdastroke:19b Mturned:19c Nhookleft:19d nlegrightlong:19e Ocenteredtilde:19f Oi:1a2
oi:1a3 Phook:1a4 phook:1a5 yr:1a6 Tonetwo:1a7 tonetwo:1a8 Esh:1a9 eshreversedloop:1aa tpalatalhook:1ab Thook:1ac
thook:1ad Tretroflexhook:1ae Upsilonafrican:1b1 Vhook:1b2 Yhook:1b3 yhook:1b4 Zstroke:1b5 zstroke:1b6 Ezh:1b7
Ezhreversed:1b8 ezhreversed:1b9 ezhtail:1ba twostroke:1bb Tonefive:1bc tonefive:1bd glottalinvertedstroke:1be wynn:1bf
clickdental:1c0 clicklateral:1c1 clickalveolar:1c2 clickretroflex:1c3 DZcaron:1c4 Dzcaron:1c5 dzcaron:1c6 LJ:1c7 Lj:1c8
lj:1c9 NJ:1ca Nj:1cb nj:1cc eturned:1dd AEmacron:1e2 aemacron:1e3 Gstroke:1e4 gstroke:1e5 Ezhcaron:1ee ezhcaron:1ef
DZ:1f1 Dz:1f2 dz:1f3 AEacute:1fc aeacute:1fd Oslashacute:1fe Ostrokeacute:1fe oslashacute:1ff ostrokeacute:1ff
Scommaaccent:218 scommaaccent:219 dotlessj:237 hsuperior:2b0 hhooksuperior:2b1 jsuperior:2b2 rturnedsuperior:2b4
rhookturnedsuperior:2b5 Rsmallinvertedsuperior:2b6 wsuperior:2b7 ysuperior:2b8 primemod:2b9 dblprimemod:2ba
commaturnedmod:2bb afii57929:2bc apostrophemod:2bc afii64937:2bd commareversedmod:2bd ringhalfright:2be ringhalfleft:2bf
glottalstopmod:2c0 glottalstopreversedmod:2c1 arrowheadleftmod:2c2 arrowheadrightmod:2c3 arrowheadupmod:2c4
arrowheaddownmod:2c5 circumflex:2c6 hat:2c6 caron:2c7 verticallinemod:2c8 firsttonechinese:2c9 secondtonechinese:2ca
fourthtonechinese:2cb verticallinelowmod:2cc macronlowmod:2cd gravelowmod:2ce acutelowmod:2cf colontriangularmod:2d0
colontriangularhalfmod:2d1 ringhalfrightcentered:2d2 ringhalfleftcentered:2d3 uptackmod:2d4 downtackmod:2d5 plusmod:2d6
minusmod:2d7 breve:2d8 dotaccent:2d9 ring:2da ogonek:2db ilde:2dc tilde:2dc hungarumlaut:2dd rhotichookmod:2de
gammasuperior:2e0 xsuperior:2e3 glottalstopreversedsuperior:2e4 tonebarextrahighmod:2e5 tonebarhighmod:2e6
tonebarmidmod:2e7 tonebarlowmod:2e8 tonebarextralowmod:2e9 negationslash:338 numeralsigngreek:374
numeralsignlowergreek:375 ypogegrammeni:37a questiongreek:37e tonos:384 dialytikatonos:385 dieresistonos:385
Alphatonos:386 anoteleia:387 Epsilontonos:388 Etatonos:389 Iotatonos:38a Omicrontonos:38c Upsilontonos:38e
Omegatonos:38f iotadieresistonos:390 Alpha:391 Beta:392 Gamma:393 Deltagreek:394 Epsilon:395 Zeta:396 Eta:397 Theta:398
Iota:399 Kappa:39a Lambda:39b Mu:39c Nu:39d Xi:39e Omicron:39f Pi:3a0 Rho:3a1 Sigma:3a3 Tau:3a4 Upsilon:3a5 Phi:3a6
Chi:3a7 Psi:3a8 Omegagreek:3a9 Iotadieresis:3aa Upsilondieresis:3ab alphatonos:3ac epsilontonos:3ad etatonos:3ae
iotatonos:3af upsilondieresistonos:3b0 alpha:3b1 beta:3b2 gamma:3b3 delta:3b4 epsilon:3b5 zeta:3b6 eta:3b7 theta:3b8
iota:3b9 kappa:3ba lambda:3bb mugreek:3bc nu:3bd xi:3be omicron:3bf pi:3c0 rho:3c1 sigma1:3c2 sigmafinal:3c2 sigma:3c3
tau:3c4 upsilon:3c5 phi:3c6 chi:3c7 psi:3c8 omega:3c9 iotadieresis:3ca upsilondieresis:3cb omicrontonos:3cc
upsilontonos:3cd omegatonos:3ce betasymbolgreek:3d0 theta1:3d1 thetasymbolgreek:3d1 Upsilon1:3d2 Upsilonhooksymbol:3d2
Upsilonacutehooksymbolgreek:3d3 Upsilondieresishooksymbolgreek:3d4 phi1:3d5 phisymbolgreek:3d5 omega1:3d6
pisymbolgreek:3d6 pi1:3d6 Stigmagreek:3da Digammagreek:3dc Digamma:3dc Koppagreek:3de Sampigreek:3e0
kappasymbolgreek:3f0 rhosymbolgreek:3f1 rho1:3f1 sigmalunatesymbolgreek:3f2 yotgreek:3f3 epsilon1:3f5 epsiloninv:3f6
afii10023:401 afii10051:402 afii10052:403 afii10053:404 afii10054:405 afii10055:406 afii10056:407 afii10057:408
afii10058:409 afii10059:40a afii10060:40b afii10061:40c afii10062:40e afii10145:40f afii10017:410 afii10018:411
afii10019:412 afii10020:413 afii10021:414 afii10022:415 afii10024:416 afii10025:417 afii10026:418 afii10027:419
afii10028:41a afii10029:41b afii10030:41c afii10031:41d afii10032:41e afii10033:41f afii10034:420 afii10035:421
afii10036:422 afii10037:423 afii10038:424 afii10039:425 afii10040:426 afii10041:427 afii10042:428 afii10043:429
afii10044:42a afii10045:42b afii10046:42c afii10047:42d afii10048:42e afii10049:42f afii10065:430 afii10066:431
afii10067:432 afii10068:433 afii10069:434 afii10070:435 afii10072:436 afii10073:437 afii10074:438 afii10075:439
afii10076:43a afii10077:43b afii10078:43c afii10079:43d afii10080:43e afii10081:43f afii10082:440 afii10083:441
afii10084:442 afii10085:443 afii10086:444 afii10087:445 afii10088:446 afii10089:447 afii10090:448 afii10091:449
afii10092:44a afii10093:44b afii10094:44c afii10095:44d afii10096:44e afii10097:44f afii10071:451 afii10099:452
afii10100:453 afii10101:454 afii10102:455 afii10103:456 afii10104:457 afii10105:458 afii10106:459 afii10107:45a
afii10108:45b afii10109:45c afii10110:45e afii10193:45f enspace:2002 zerowidthspace:200b afii61664:200c
zerowidthnonjoiner:200c afii301:200d afii299:200e afii300:200f hyphentwo:2010 figuredash:2012 endash:2013 emdash:2014
afii00208:2015 horizontalbar:2015 bardbl:2016 dblverticalbar:2016 arrowvertexdbl:2016 dbllowline:2017 underscoredbl:2017
quoteleft:2018 quoteright:2019 quotesinglbase:201a quoteleftreversed:201b quotereversed:201b quotedblleft:201c
quotedblright:201d quotedblbase:201e dagger:2020 daggerdbl:2021 bullet:2022 onedotenleader:2024 twodotenleader:2025
twodotleader:2025 ellipsis:2026 afii61573:202c afii61574:202d afii61575:202e perthousand:2030 minute:2032 prime:2032
second:2033 primereversed:2035 guilsinglleft:2039 guilsinglright:203a referencemark:203b exclamdbl:203c overline:203e
asterism:2042 fraction:2044 zerosuperior:2070 foursuperior:2074 fivesuperior:2075 sixsuperior:2076 sevensuperior:2077
eightsuperior:2078 ninesuperior:2079 plussuperior:207a equalsuperior:207c parenleftsuperior:207d parenrightsuperior:207e
nsuperior:207f zeroinferior:2080 oneinferior:2081 twoinferior:2082 threeinferior:2083 fourinferior:2084
fiveinferior:2085 sixinferior:2086 seveninferior:2087 eightinferior:2088 nineinferior:2089 parenleftinferior:208d
parenrightinferior:208e colonmonetary:20a1 colonsign:20a1 cruzeiro:20a2 franc:20a3 afii08941:20a4 lira:20a4 peseta:20a7
won:20a9 afii57636:20aa newsheqelsign:20aa sheqel:20aa sheqelhebrew:20aa dong:20ab Euro:20ac euro:20ac vector:20d7
centigrade:2103 afii61248:2105 careof:2105 fahrenheit:2109 planckover2pi:210f planckover2pi1:210f Ifraktur:2111
Ifractur:2111 afii61289:2113 lsquare:2113 lscript:2113 afii61352:2116 numero:2116 weierstrass:2118 Rfraktur:211c
Rfractur:211c prescription:211e telephone:2121 trademark:2122 Ohm:2126 Omega:2126 Omegainv:2127 angstrom:212b
estimated:212e Finv:2132 aleph:2135 beth:2136 gimel:2137 daleth:2138 Gmir:2141 onethird:2153 twothirds:2154
oneeighth:215b threeeighths:215c fiveeighths:215d seveneighths:215e Oneroman:2160 Tworoman:2161 Threeroman:2162
Fourroman:2163 Fiveroman:2164 Sixroman:2165 Sevenroman:2166 Eightroman:2167 Nineroman:2168 Tenroman:2169
Elevenroman:216a Twelveroman:216b oneroman:2170 tworoman:2171 threeroman:2172 fourroman:2173 fiveroman:2174
sixroman:2175 sevenroman:2176 eightroman:2177 nineroman:2178 tenroman:2179 elevenroman:217a twelveroman:217b
arrowleft:2190 arrowup:2191 arrowright:2192 arrowdown:2193 arrowboth:2194 arrowupdn:2195 arrowbothv:2195
arrownorthwest:2196 arrowupleft:2196 arrownortheast:2197 arrowupright:2197 arrowdownright:2198 arrowsoutheast:2198
arrowdownleft:2199 arrowsouthwest:2199 notarrowleft:219a notarrowright:219b mapsto:21a6 arrowupdnbse:21a8
arrowupdownbase:21a8 arrowhookright:21a9 arrowhookleft:21aa notarrowboth:21ae carriagereturn:21b5 anticlockwise:21ba
clockwise:21bb arrowlefttophalf:21bc harpoonleftbarbup:21bc arrowleftbothalf:21bd arrowrighttophalf:21c0
harpoonrightbarbup:21c0 arrowrightbothalf:21c1 arrowrightoverleft:21c4 arrowupleftofdown:21c5 arrowleftoverright:21c6
arrowleftdblstroke:21cd notdblarrowleft:21cd notdblarrowboth:21ce arrowrightdblstroke:21cf notdblarrowright:21cf
arrowdblleft:21d0 arrowleftdbl:21d0 arrowdblup:21d1 arrowdblright:21d2 dblarrowright:21d2 arrowdbldown:21d3
arrowdblboth:21d4 dblarrowleft:21d4 squiggleright:21dd pageup:21de pagedown:21df arrowdashleft:21e0 arrowdashup:21e1
arrowdashright:21e2 arrowdashdown:21e3 arrowtableft:21e4 arrowtabright:21e5 arrowleftwhite:21e6 arrowupwhite:21e7
arrowrightwhite:21e8 arrowdownwhite:21e9 capslock:21ea forall:2200 universal:2200 complement:2201 partialdiff:2202
existential:2203 thereexists:2203 notexistential:2204 emptyset:2205 Delta:2206 increment:2206 gradient:2207 nabla:2207
element:2208 notelement:2209 notelementof:2209 suchthat:220b owner:220b notcontains:220c product:220f coproduct:2210
summation:2211 minus:2212 minusplus:2213 dotplus:2214 divisionslash:2215 asteriskmath:2217 bulletoperator:2219
radical:221a radicalbt:221a radicaltp:221a radicalvertex:221a proportional:221d infinity:221e orthogonal:221f
rightangle:221f angle:2220 measuredangle:2221 sphericalangle:2222 divides:2223 vextendsingle:2223 notbar:2224
parallel:2225 vextenddouble:2225 notparallel:2226 logicaland:2227 logicalor:2228 intersection:2229 union:222a
integral:222b dblintegral:222c contourintegral:222e contintegral:222e therefore:2234 because:2235 ratio:2236
proportion:2237 similar:223c tildeoperator:223c reversedtilde:223d wreathproduct:2240 notsimilar:2241
asymptoticallyequal:2243 similarequal:2243 approximatelyequal:2245 congruent:2245 approxequal:2248 allequal:224c
equivasymptotic:224d approaches:2250 geometricallyequal:2251 approxequalorimage:2252 imageorapproximatelyequal:2253
circleequal:2257 defines:225c notequal:2260 equivalence:2261 notidentical:2262 lessequal:2264 greaterequal:2265
lessoverequal:2266 lessdblequal:2266 greateroverequal:2267 greaterdblequal:2267 muchless:226a lessmuch:226a
muchgreater:226b greatermuch:226b notless:226e notgreater:226f notlessnorequal:2270 notlessequal:2270
notgreaternorequal:2271 notgreaterequal:2271 lessorequivalent:2272 greaterorequivalent:2273 lessorgreater:2276
greaterorless:2277 notgreaternorless:2279 precedes:227a succeeds:227b follows:227b notprecedes:2280 notsucceeds:2281
propersubset:2282 subset:2282 propersuperset:2283 superset:2283 notsubset:2284 notsuperset:2285 reflexsubset:2286
subsetorequal:2286 reflexsuperset:2287 supersetorequal:2287 notsubseteql:2288 notsubsetoreql:2288 notsuperseteql:2289
subsetnotequal:228a subsetnoteql:228a supersetnotequal:228b supersetnoteql:228b unionmulti:228e squareimage:228f
squareoriginal:2290 subsetsqequal:2291 supersetsqequal:2292 intersectionsq:2293 unionsq:2294 circleplus:2295
pluscircle:2295 minuscircle:2296 circleminus:2296 circlemultiply:2297 timescircle:2297 circledivide:2298 circleot:2299
circledot:2299 circlering:229a circleasterisk:229b squareplus:229e squareminus:229f squaremultiply:22a0
turnstileleft:22a2 tackleft:22a3 turnstileright:22a3 tackdown:22a4 latticetop:22a4 perpendicular:22a5 satisfies:22a8
forces:22a9 notturnstile:22ac notsatisfies:22ad notforces:22ae triangleleft:22b2 triangleright:22b3
triangleleftequal:22b4 trianglerightequal:22b5 multimap:22b8 intercal:22ba nand:22bc righttriangle:22bf
intersectiondisplay:22c2 intersectiontext:22c2 uniondisplay:22c3 uniontext:22c3 diamondmath:22c4 dotmath:22c5 star:22c6
curlyor:22ce downfall:22ce curlyand:22cf uprise:22cf subsetdbl:22d0 supersetdbl:22d1 lessdot:22d6 greaterdot:22d7
lessequalorgreater:22da greaterequalorless:22db notprecedesoreql:22e0 notfollowsoreql:22e1 nottriangleleft:22ea
nottriangleright:22eb ellipsisvertical:22ee ceilingleft:2308 ceilingright:2309 floorleft:230a floorright:230b
integraltp:2320 integralbt:2321 frown:2322 smile:2323 angleleft:2329 angleright:232a visiblespace:2423 circleS:24c8
upslope:2571 downslope:2572 upblock:2580 dnblock:2584 block:2588 lfblock:258c rtblock:2590 ltshade:2591 shadelight:2591
shade:2592 shademedium:2592 dkshade:2593 shadedark:2593 blacksquare:25a0 filledbox:25a0 squaresolid:25a0 H22073:25a1
whitesquare:25a1 square:25a1 squarewhitewithsmallblack:25a3 squarehorizontalfill:25a4 squareverticalfill:25a5
squareorthogonalcrosshatchfill:25a6 squareupperlefttolowerrightfill:25a7 squareupperrighttolowerleftfill:25a8
squarediagonalcrosshatchfill:25a9 H18543:25aa blacksmallsquare:25aa squaresmallsolid:25aa H18551:25ab
whitesmallsquare:25ab blackrectangle:25ac filledrect:25ac blackuppointingtriangle:25b2 triagup:25b2 trianglesolid:25b2
whiteuppointingtriangle:25b3 triangle:25b3 blackuppointingsmalltriangle:25b4 whiteuppointingsmalltriangle:25b5
blackrightpointingtriangle:25b6 trianglerightsld:25b6 whiterightpointingtriangle:25b7
whiterightpointingsmalltriangle:25b9 blackrightpointingpointer:25ba triagrt:25ba blackdownpointingtriangle:25bc
triagdn:25bc triangledownsld:25bc whitedownpointingtriangle:25bd triangleinv:25bd whitedownpointingsmalltriangle:25bf
blackleftpointingtriangle:25c0 triangleleftsld:25c0 whiteleftpointingtriangle:25c1 whiteleftpointingsmalltriangle:25c3
blackleftpointingpointer:25c4 triaglf:25c4 blackdiamond:25c6 whitediamond:25c7
whitediamondcontainingblacksmalldiamond:25c8 fisheye:25c9 lozenge:25ca circle:25cb whitecircle:25cb dottedcircle:25cc
bullseye:25ce H18533:25cf blackcircle:25cf circlewithlefthalfblack:25d0 circlewithrighthalfblack:25d1 bulletinverse:25d8
invbullet:25d8 invcircle:25d9 whitecircleinverse:25d9 blacklowerrighttriangle:25e2 blacklowerlefttriangle:25e3
blackupperlefttriangle:25e4 blackupperrighttriangle:25e5 openbullet:25e6 whitebullet:25e6 largecircle:25ef
blackstar:2605 whitestar:2606 telephoneblack:260e whitetelephone:260f pointingindexleftwhite:261c
pointingindexupwhite:261d pointingindexrightwhite:261e pointingindexdownwhite:261f yinyang:262f smileface:263a
whitesmilingface:263a blacksmilingface:263b invsmileface:263b compass:263c sun:263c female:2640 venus:2640 earth:2641
male:2642 mars:2642 spade:2660 spadesuitblack:2660 heartsuitwhite:2661 diamondsuitwhite:2662 club:2663
clubsuitblack:2663 spadesuitwhite:2664 heart:2665 heartsuitblack:2665 diamond:2666 diamondsolid:2666 clubsuitwhite:2667
hotsprings:2668 quarternote:2669 musicalnote:266a eighthnotebeamed:266b musicalnotedbl:266b beamedsixteenthnotes:266c
musicflatsign:266d flat:266d natural:266e musicsharpsign:266f sharp:266f checkmark:2713 check:2713 maltesecross:2720
onecircleinversesansserif:278a twocircleinversesansserif:278b threecircleinversesansserif:278c
fourcircleinversesansserif:278d fivecircleinversesansserif:278e sixcircleinversesansserif:278f
sevencircleinversesansserif:2790 eightcircleinversesansserif:2791 ninecircleinversesansserif:2792 arrowrightheavy:279e
lessorequalslant:2a7d greaterorequalslant:2a7e lessnotequal:2a87 greaternotequal:2a88 precedesequal:2aaf
followsequal:2ab0 angbracketleft:3008 angbracketright:3009 copyrightserif:f6d9 registerserif:f6da trademarkserif:f6db
onefitted:f6dc rupiah:f6dd threequartersemdash:f6de centinferior:f6df centsuperior:f6e0 commainferior:f6e1
commasuperior:f6e2 dollarinferior:f6e3 dollarsuperior:f6e4 hypheninferior:f6e5 hyphensuperior:f6e6 periodinferior:f6e7
periodsuperior:f6e8 asuperior:f6e9 bsuperior:f6ea dsuperior:f6eb esuperior:f6ec isuperior:f6ed lsuperior:f6ee
msuperior:f6ef osuperior:f6f0 rsuperior:f6f1 ssuperior:f6f2 tsuperior:f6f3 Brevesmall:f6f4 Caronsmall:f6f5
Circumflexsmall:f6f6 Dotaccentsmall:f6f7 Hungarumlautsmall:f6f8 Lslashsmall:f6f9 OEsmall:f6fa Ogoneksmall:f6fb
Ringsmall:f6fc Scaronsmall:f6fd Tildesmall:f6fe Zcaronsmall:f6ff exclamsmall:f721 dollaroldstyle:f724
ampersandsmall:f726 zerooldstyle:f730 oneoldstyle:f731 twooldstyle:f732 threeoldstyle:f733 fouroldstyle:f734
fiveoldstyle:f735 sixoldstyle:f736 sevenoldstyle:f737 eightoldstyle:f738 nineoldstyle:f739 questionsmall:f73f
Gravesmall:f760 Asmall:f761 Bsmall:f762 Csmall:f763 Dsmall:f764 Esmall:f765 Fsmall:f766 Gsmall:f767 Hsmall:f768
Ismall:f769 Jsmall:f76a Ksmall:f76b Lsmall:f76c Msmall:f76d Nsmall:f76e Osmall:f76f Psmall:f770 Qsmall:f771 Rsmall:f772
Ssmall:f773 Tsmall:f774 Usmall:f775 Vsmall:f776 Wsmall:f777 Xsmall:f778 Ysmall:f779 Zsmall:f77a exclamdownsmall:f7a1
centoldstyle:f7a2 Dieresissmall:f7a8 Macronsmall:f7af Acutesmall:f7b4 Cedillasmall:f7b8 questiondownsmall:f7bf
Agravesmall:f7e0 Aacutesmall:f7e1 Acircumflexsmall:f7e2 Atildesmall:f7e3 Adieresissmall:f7e4 Aringsmall:f7e5
AEsmall:f7e6 Ccedillasmall:f7e7 Egravesmall:f7e8 Eacutesmall:f7e9 Ecircumflexsmall:f7ea Edieresissmall:f7eb
Igravesmall:f7ec Iacutesmall:f7ed Icircumflexsmall:f7ee Idieresissmall:f7ef Ethsmall:f7f0 Ntildesmall:f7f1
Ogravesmall:f7f2 Oacutesmall:f7f3 Ocircumflexsmall:f7f4 Otildesmall:f7f5 Odieresissmall:f7f6 Oslashsmall:f7f8
Ugravesmall:f7f9 Uacutesmall:f7fa Ucircumflexsmall:f7fb Udieresissmall:f7fc Yacutesmall:f7fd Thornsmall:f7fe
Ydieresissmall:f7ff maihanakatleftthai:f884 saraileftthai:f885 saraiileftthai:f886 saraueleftthai:f887
saraueeleftthai:f888 maitaikhuleftthai:f889 maiekupperleftthai:f88a maieklowrightthai:f88b maieklowleftthai:f88c
maithoupperleftthai:f88d maitholowrightthai:f88e maitholowleftthai:f88f maitriupperleftthai:f890 maitrilowrightthai:f891
maitrilowleftthai:f892 maichattawaupperleftthai:f893 maichattawalowrightthai:f894 maichattawalowleftthai:f895
thanthakhatupperleftthai:f896 thanthakhatlowrightthai:f897 thanthakhatlowleftthai:f898 nikhahitleftthai:f899
radicalex:f8e5 arrowvertex:f8e6 arrowhorizex:f8e7 registersans:f8e8 copyrightsans:f8e9 trademarksans:f8ea
parenlefttp:f8eb parenleftex:f8ec parenleftbt:f8ed bracketlefttp:f8ee bracketleftex:f8ef bracketleftbt:f8f0
bracelefttp:f8f1 braceleftmid:f8f2 braceleftbt:f8f3 braceex:f8f4 integralex:f8f5 parenrighttp:f8f6 parenrightex:f8f7
parenrightbt:f8f8 bracketrighttp:f8f9 bracketrightex:f8fa bracketrightbt:f8fb bracerighttp:f8fc bracerightmid:f8fd
bracerightbt:f8fe apple:f8ff f_f:fb00 ff:fb00 f_i:fb01 fi:fb01 f_l:fb02 fl:fb02 f_f_i:fb03 ffi:fb03 f_f_l:fb04 ffl:fb04
bracehtipdownleft:fe37 bracehtipdownright:fe37 bracehtipupleft:fe38 bracehtipupright:fe38
`;

const ACCENTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ grave: '\u0300', acute: '\u0301', circumflex: '\u0302', tilde: '\u0303', macron: '\u0304', breve: '\u0306' },
    ...{ dotaccent: '\u0307', dot: '\u0307', dieresis: '\u0308', hookabove: '\u0309', ring: '\u030a', caron: '\u030c' },
    ...{ hungarumlaut: '\u030b', dblacute: '\u030b', dblgrave: '\u030f', invertedbreve: '\u0311', horn: '\u031b' },
    ...{ dotbelow: '\u0323', cedilla: '\u0327', ogonek: '\u0328' },
  }),
);
const ACCENT = [...ACCENTS.keys()].join('|');
/** A letter and its accents: Vietnamese letters have two. */
const ACCENTED = new RegExp(`^([A-Za-z])(${ACCENT})(${ACCENT})?$`);

/** The endings that TeX's fonts add to names of signs of several sizes. */
const LARGER = /(display|text|[bB]igg?|wide(r|st)?)$/;

let list: Map<string, string> | undefined;

/** The character of a glyph name; undefined for a meaningless or unknown name. */
export function characterNamed(name: string): string | undefined {
  if (name.length === 1) return /[A-Za-z]/.test(name) ? name : undefined;
  list ??= new Map(
    LIST.trim()
      .split(/\s+/)
      .map((entry) => {
        const [key = '', code = ''] = entry.split(':');
        return [key, String.fromCharCode(Number.parseInt(code, 16))];
      }),
  );
  return (
    list.get(name) ??
    list.get(name.replace(LARGER, '')) ??
    accented(name) ??
    numbered(name) ??
    hebrew(name) ??
    piSign(name)
  );
}

function accented(name: string): string | undefined {
  const [, letter, first = '', second = ''] = ACCENTED.exec(name) ?? [];
  if (letter === undefined) return undefined;
  const whole = `${letter}${ACCENTS.get(first) ?? ''}${ACCENTS.get(second) ?? ''}`.normalize('NFC');
  return whole.length === 1 ? whole : undefined;
}

/** afii57664 to afii57690: alef to tav. */
function hebrew(name: string): string | undefined {
  const place = /^afii57\d{3}$/.test(name) ? Number(name.slice(4)) - 57_664 : -1;
  return place >= 0 && place <= 26 ? String.fromCharCode(0x5d0 + place) : undefined;
}

/** Names of glyphs in the fonts Mathematical Pi: H11005. */
export const PI_NAME = /^H\d{4,5}$/;
/** Signs of the fonts Mathematical Pi, by the number in their names. */
const PI_SIGNS: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ'].map((letter, i) => [9001 + i, letter])),
  ...Object.fromEntries([...'αβγδεζηθικλμνξοπρσςτυφχψω'].map((letter, i) => [9251 + i, letter])),
  ...{ 9277: 'ϑ', 9278: 'φ', 9280: 'ε', 9281: 'ϖ', 11001: '+', 11002: '\u2212', 11003: '×', 11004: '÷', 11005: '=' },
  ...{ 11006: '±', 11011: '\u223c', 11015: '≈', 11021: '<', 11022: '>', 11032: '′', 11033: '″', 11034: '°' },
  ...{ 11349: '≤', 11350: '≥', 18528: '·', 20841: '|', 20862: '/' },
};

function piSign(name: string): string | undefined {
  return PI_NAME.test(name) ? PI_SIGNS[name.slice(1)] : undefined;
}

/** uni0041 and u1F600. */
function numbered(name: string): string | undefined {
  const code = /^(?:uni([0-9A-F]{4})|u([0-9A-F]{4,6}))$/.exec(name);
  if (code === null) return undefined;
  const point = Number.parseInt(code[1] ?? code[2] ?? '', 16);
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : undefined;
}

/** A canonical name for the character, by which differently named glyphs are matched. */
export function uniName(character: string): string {
  return `uni${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
